// java.net.URI as the official code uses it. JavaScript's URL gives another host, port, path or verdict for a third of
// real-world inputs (underscores in hosts, last labels with digits, odd query characters), so the rules are kept here.

/** What java.net.URI returns; `path` and `authority` are decoded, -1 means no port. */
export interface JavaUri {
  readonly scheme: string | null;
  readonly authority: string | null;
  readonly rawAuthority: string | null;
  readonly userInfo: string | null;
  readonly host: string | null;
  readonly port: number;
  readonly path: string | null;
  readonly rawPath: string | null;
  readonly query: string | null;
  readonly fragment: string | null;
  readonly opaque: boolean;
}

interface Server {
  readonly userInfo: string | null;
  readonly host: string;
  readonly port: number;
}

const unreserved = "A-Za-z0-9_\\-!.~'()*";
/** A run of the given ASCII characters, of escapes, and of non-ASCII characters that are neither space nor control. */
const run = (characters: string): RegExp => new RegExp(`^(?:[${characters}]|%[0-9A-Fa-f]{2}|[^\\x00-\\x9f\\p{Z}])*$`, 'u');

const userInfoText = run(`${unreserved};:&=+$,`);
const registryText = run(`${unreserved}$,;:@&=+`);
const serverText = run(`${unreserved};:&=+$,@\\[\\]`);
const serverTextWithScope = run(`${unreserved};:&=+$,@\\[\\]%`);
const pathText = run(`${unreserved};:&=+$,@/`);
const anyText = run(`${unreserved};:&=+$,@/?\\[\\]`);

/** Parses as `new URI(text)` does; undefined where it throws URISyntaxException. */
export function parseJavaUri(text: string): JavaUri | undefined {
  const colon = /^[^/?#:]*:/.exec(text);
  if (colon === null) return hierarchical(null, text);
  const scheme = colon[0].slice(0, -1);
  if (!/^[A-Za-z][A-Za-z0-9+.-]*$/.test(scheme)) return undefined;
  const rest = text.slice(colon[0].length);
  if (rest.startsWith('/')) return hierarchical(scheme, rest);
  const [, body = '', , fragment] = /^([^#]*)(#([\s\S]*))?$/.exec(rest) ?? [];
  if (body === '' || !anyText.test(body) || (fragment !== undefined && !anyText.test(fragment))) return undefined;
  const none = { authority: null, rawAuthority: null, userInfo: null, host: null, port: -1 };
  return { scheme, ...none, path: null, rawPath: null, query: null, fragment: decode(fragment ?? null), opaque: true };
}

function hierarchical(scheme: string | null, text: string): JavaUri | undefined {
  const [, , rawAuthority = '', rawPath = '', , query, , fragment] = /^(\/\/([^/?#]*))?([^?#]*)(\?([^#]*))?(#([\s\S]*))?$/.exec(text) ?? [];
  if (text === '//') return undefined;
  if (!pathText.test(rawPath)) return undefined;
  if (query !== undefined && !anyText.test(query)) return undefined;
  if (fragment !== undefined && !anyText.test(fragment)) return undefined;
  const server = rawAuthority === '' ? null : parseServer(rawAuthority);
  if (server === null && rawAuthority !== '' && !registryText.test(rawAuthority)) return undefined;
  return {
    scheme,
    authority: rawAuthority === '' ? null : decodeAuthority(rawAuthority),
    rawAuthority: rawAuthority === '' ? null : rawAuthority,
    userInfo: decode(server?.userInfo ?? null),
    host: server?.host ?? null,
    port: server?.port ?? -1,
    path: decode(rawPath),
    rawPath,
    query: decode(query ?? null),
    fragment: decode(fragment ?? null),
    opaque: false,
  };
}

/** `[userinfo@]host[:port]`; null = not of this form (the URI may still be legal, with host null). */
function parseServer(authority: string): Server | null {
  if (!(authority.includes(']') ? serverTextWithScope : serverText).test(authority)) return null;
  const at = authority.indexOf('@');
  const userInfo = at < 0 ? null : authority.slice(0, at);
  if (userInfo !== null && !userInfoText.test(userInfo)) return null;
  const match = /^(\[[^\]]+\]|[A-Za-z0-9.-]+)(?::([0-9]*))?$/.exec(authority.slice(at + 1));
  const host = match?.[1];
  if (match === null || host === undefined || !isHost(host)) return null;
  const port = match[2] === undefined || match[2] === '' ? -1 : Number(match[2]);
  return port > 2147483647 ? null : { userInfo, host, port };
}

const isHost = (host: string): boolean => (host.startsWith('[') ? isBracketed(host.slice(1, -1)) : isIpv4(host) || isHostname(host));

const isIpv4 = (host: string): boolean => /^[0-9]+(\.[0-9]+){3}$/.test(host) && host.split('.').every((byte) => Number(byte) <= 255);

function isHostname(host: string): boolean {
  const labels = (host.endsWith('.') ? host.slice(0, -1) : host).split('.');
  if (!labels.every((label) => /^[A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?$/.test(label))) return false;
  return labels.length === 1 || /^[A-Za-z]/.test(labels[labels.length - 1] ?? '');
}

function isBracketed(text: string): boolean {
  const scope = text.indexOf('%');
  if (scope >= 0 && !/^[A-Za-z0-9_.]+$/.test(text.slice(scope + 1))) return false;
  return isIpv6(scope < 0 ? text : text.slice(0, scope));
}

/** RFC 2373: eight groups of up to four hex digits, one `::` for a run of zeros, the last two groups as IPv4 if wanted. */
function isIpv6(text: string): boolean {
  const halves = text.split('::');
  if (halves.length > 2) return false;
  const groups = halves.flatMap((half) => (half === '' ? [] : half.split(':')));
  const last = groups[groups.length - 1];
  const ipv4 = last?.includes('.') === true && !text.endsWith('::');
  const hex = ipv4 ? groups.slice(0, -1) : groups;
  if (ipv4 && !isIpv4(last)) return false;
  if (!hex.every((group) => /^[0-9A-Fa-f]{1,4}$/.test(group))) return false;
  const size = hex.length + (ipv4 ? 2 : 0);
  return halves.length === 2 ? size < 8 : size === 8;
}

const escapes = /(?:%[0-9A-Fa-f]{2})+/g;

/** Decodes runs of `%XX` as UTF-8 with U+FFFD for bad bytes; `+` is untouched. */
const decode = <T extends string | null>(text: T): T => (text === null ? text : (text.replace(escapes, decodeRun) as T));

/** The same for an authority, where escapes between brackets (an IPv6 scope) stay. */
const decodeAuthority = (text: string): string =>
  text.replace(/\[[^\]]*\]|[^[]+/g, (piece) => (piece.startsWith('[') ? piece : decode(piece)));

const decodeRun = (run: string): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(Uint8Array.from(run.slice(1).split('%'), (hex) => Number.parseInt(hex, 16)));
