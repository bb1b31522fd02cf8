// Host lists as the rules of our own read them: the first entry, in the order written, lower-cased, with a port.
import { cutUserInfo } from './user-info.ts';

/** `host` or `host:port`, brackets of IPv6 kept; undefined when there is no host or no number behind the colon. */
export function parseHost(text: string): { readonly host: string; readonly port: string | undefined } | undefined {
  const [, host, port] = /^(\[[^\]]*\]|[^:[\]\s/]+)(?::(\d*))?$/.exec(text.trim()) ?? [];
  return host === undefined ? undefined : { host: host.toLowerCase(), port: port === '' ? undefined : port };
}

/** The first address of a list (`,` or `;`), without scheme, path and user info, as `host:port`. */
export function firstHost(list: string, defaultPort: number | undefined): string | undefined {
  const [first = ''] = withoutScheme(list).split(/[,;]/);
  const parsed = parseHost(first.replace(/[/?#][\s\S]*$/, ''));
  if (parsed === undefined) return undefined;
  const port = parsed.port ?? defaultPort;
  return port === undefined ? parsed.host : `${parsed.host}:${port}`;
}

/** An address list without `scheme://` and user info. */
export const withoutScheme = (address: string): string => cutUserInfo(address.trim()).replace(/^[\w+.-]+:\/\//, '');
