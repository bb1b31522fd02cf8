// Finds and cuts credentials in addresses, before any rule reads them: official code prints a password in dozens of odd
// but real urls. Passwords may hold `@ / ? # ,` unescaped, so the host is looked for from its own side.

/**
 * What stands before the hosts of an address (the text behind `//`): its user info with the `@`, or ''.
 * `paths`: whether the path behind the host may have an `@` followed by a slash (files do, JDBC urls do not).
 */
export function userInfoOf(rest: string, paths: boolean): string {
  let start = 0;
  for (let found = hostAt(rest, paths); found > 0; found = hostAt(rest.slice(start), paths)) start += found;
  return rest.slice(0, start);
}

function hostAt(rest: string, paths: boolean): number {
  const end = rest.search(/[/?#]/);
  const authority = end < 0 ? rest : rest.slice(0, end);
  if (authority.includes('@')) return authority.lastIndexOf('@') + 1;
  const at = rest.indexOf('@');
  // A parameter may hold an `@` as well.
  if (at < 0 || /[?&;,][\w.-]*=/.test(rest.slice(authority.length, at))) return 0;
  // `u:p?q@h`, `u:p#q@h`, `u:p/q@h`: a query without `=` is none, what is no number is no port.
  const [, port] = /:([^:\]]*)$/.exec(authority) ?? [];
  const isPassword = rest[end] !== '/' || (port !== undefined && !/^\d{1,5}$/.test(port)) || (!paths && rest.includes('/', at));
  return isPassword ? at + 1 : 0;
}

/** Cuts user info behind `//`, or at the start of an address without a scheme. */
export function cutUserInfo(address: string): string {
  const start = address.indexOf('//');
  const head = start < 0 || /[@?]/.test(address.slice(0, start)) ? '' : address.slice(0, start + 2);
  const rest = address.slice(head.length);
  return head + rest.slice(userInfoOf(rest, false).length);
}

/** The same for a list of addresses. */
export const cutUserInfos = (addresses: string): string =>
  userInfoOf(addresses, false).includes(',')
    ? cutUserInfo(addresses)
    : addresses
        .split(/([,;])/)
        .map(cutUserInfo)
        .join('');

/** Cuts user info that holds a password out of a storage location; `container@account` and `zk@host` are no passwords. */
export function cutPassword(location: string): string {
  const [head] = /^[^/:]*:\/\//.exec(location) ?? [];
  if (head === undefined || /^(?:abfs|wasb)/.test(head)) return location;
  const rest = location.slice(head.length);
  const userInfo = userInfoOf(rest, true);
  return userInfo.includes(':') ? head + rest.slice(userInfo.length) : location;
}

const secretKey = /(?:pass(?:wd|word|phrase)?|pwd|secret|token|credential|user|uid|api-?_?key|access-?_?key|private-?_?key)/i;
// A parameter with what stands before it, which also tells where its value ends.
const parameter = /([?&;,:(]|^)(\s*[\w.-]+\s*)=/g;
const ends: Readonly<Record<string, string>> = { '?': '&', '&': '&', ';': ';', ':': ';', ',': ',', '(': ')', '': '&;,' };

/**
 * Replaces the value of every parameter with a secret-like key: `hide` gives the text for `delimiter`, `key=`. A value
 * ends where its kind of parameter ends, so `?password=a;b,c` is one value and `;password={a;b};` another.
 */
export function replaceSecrets(address: string, hide: (delimiter: string, key: string) => string): string {
  let out = '';
  let done = 0;
  for (const match of address.matchAll(parameter)) {
    const [whole, delimiter = '', key = ''] = match;
    if (match.index < done || !secretKey.test(key)) continue;
    out += address.slice(done, match.index) + hide(delimiter, `${key}=`);
    done = valueEnd(address, match.index + whole.length, ends[delimiter] ?? '&');
  }
  return out + address.slice(done);
}

/** Where the value that starts there ends; a value in braces holds what it likes. */
function valueEnd(address: string, start: number, stops: string): number {
  const closing = address[start] === '{' ? address.indexOf('}', start) : -1;
  let end = closing < 0 ? start : closing;
  while (end < address.length && !stops.includes(address.charAt(end))) end++;
  return end;
}

/** Cuts secret parameters out of an address. */
export const hideSecrets = (address: string): string =>
  replaceSecrets(address, (delimiter) => (delimiter === '?' ? '?' : '')).replace(/[?&;,]+$/, '');
