// Makes a JDBC url safe to keep without changing the name it gives. A name that does not depend on the credentials
// cannot hold them: such a url keeps its shape with `x` in their place, so that the official bytes come out, odd
// fallbacks included. Where the official name does depend on them, it leaks: the url is named without credentials.
import { replaceSecrets, userInfoOf } from '../user-info.ts';
import { nameJdbc } from './jdbc.ts';

/** The url without its secrets: credentials masked where that gives the official name, else cut. */
export function hideCredentials(url: string): string {
  const masked = maskUserInfo(
    replaceSecrets(url, (delimiter, key) => `${delimiter}${key}x`),
    mask,
  );
  if (masked === url || sameName(url, masked)) return masked;
  const cut = replaceSecrets(
    maskUserInfo(url, () => ''),
    (delimiter) => (delimiter === '?' ? '?' : ''),
  );
  return cut.replace(/[?&;,:]+$/, '');
}

function sameName(url: string, other: string): boolean {
  const [a, b] = [nameJdbc(url, 't', '1.54'), nameJdbc(other, 't', '1.54')];
  return a?.namespace === b?.namespace && a?.name === b?.name;
}

/** `user:password@` -> `x:x@`; separators stay, so that the shape and with it the official reading stay. */
const mask = (userInfo: string): string => userInfo.replace(/[^:/@?#,]+/g, 'x');

function maskUserInfo(url: string, replace: (userInfo: string) => string): string {
  const hide = (text: string, userInfo: string): string => (userInfo === '' ? '' : replace(userInfo)) + text.slice(userInfo.length);
  const driver = /^(?:jdbc:)?oracle(?::\w+)?:(?!\/\/)/i.exec(url)?.[0];
  if (driver !== undefined) return driver + hide(url.slice(driver.length), oracleUserInfo(url.slice(driver.length)));
  const start = url.indexOf('//') + 2;
  if (start < 2) return url;
  const rest = url.slice(start);
  const hosts = /^[^/?#]*/.exec(rest)?.[0] ?? '';
  const list = hosts.split(',');
  if (!hosts.includes('@') || !isHostList(list)) return url.slice(0, start) + hide(rest, userInfoOf(rest, false));
  const masked = list.map((host) => hide(host, host.slice(0, host.lastIndexOf('@') + 1)));
  return url.slice(0, start) + masked.join(',') + rest.slice(hosts.length);
}

/** Connector/J allows user info before each host; `u:p,q@h` is no list but a password with a comma. */
const isHostList = ([first = '', ...others]: readonly string[]): boolean =>
  others.length > 0 && (first.includes('@') || /^[^:]*(?::\d{0,5})?$/.test(first));

/** Oracle: all up to the last `@` before a descriptor or the parameters. */
function oracleUserInfo(rest: string): string {
  const descriptor = /^([\s\S]*?@)\s*\(/.exec(rest)?.[1];
  if (descriptor !== undefined) return descriptor;
  const parameters = rest.search(/\?[^?@]*=/);
  const address = parameters < 0 ? rest : rest.slice(0, parameters);
  return address.slice(0, address.lastIndexOf('@') + 1);
}
