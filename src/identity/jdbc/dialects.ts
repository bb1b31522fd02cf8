// The dialects that differ from the generic reading only in scheme, default port and a prefix to normalise.
import { type JdbcDialect, type JdbcLocation, readGeneric, withPort } from './location.ts';

const startsWith =
  (word: string) =>
  (url: string): boolean =>
    url.toLowerCase().startsWith(word);

/** Reads as the generic dialect does after `normalise`, under a fixed scheme and with a default port. */
function hostDialect(word: string, port: number, normalise: (url: string) => string = (url) => url): JdbcDialect {
  return { claims: startsWith(word), read: (url) => withPort(readGeneric(normalise(url)), word, port) };
}

export const postgres = hostDialect('postgres', 5432);
export const crate = hostDialect('crate', 5432);
export const db2 = hostDialect('db2', 6789);
export const trino = hostDialect('trino', 443);
/** `oceanbase:hamode:x://` and the like are one scheme. */
export const oceanbase = hostDialect('oceanbase', 2881, (url) => url.replace(/^[\w+:]*:\/\//, 'oceanbase://'));
/** Hosts are joined by `--`. */
export const cassandra = hostDialect('cassandra', 9042, (url) => url.replaceAll('--', ','));
/** `mysql:loadbalance://`, `mysql:aws://`, `mysqlx://` … are one scheme. */
export const mysql: JdbcDialect = {
  ...hostDialect('mysql', 3306, (url) => url.replace(/^[\w+:]*:\/\//, 'mysql://')),
  qualifiedAtTwo: true,
};

/** Claims and sub-protocols are case-sensitive; `native` and others are unknown to it and end in the fallback. */
export const clickhouse: JdbcDialect = {
  claims: (url) => /^(clickhouse|ch):/.test(url),
  read: (url) => withPort(readGeneric(url.replace(/^(?:clickhouse|ch):(?:http:|https:|grpc:)?\/\//, 'clickhouse://')), 'clickhouse', 8123),
  qualifiedAtTwo: true,
};

/** Everything else: the scheme as written, no port added. */
export const generic: JdbcDialect = { claims: () => true, read: readGeneric };

/** The port stands in DBS_PORT only; one that is written behind the host is not recognised (and another is appended). */
export const teradata: JdbcDialect = {
  claims: startsWith('teradata'),
  read(url): JdbcLocation | undefined {
    const [, host, rest = ''] = /^\w+:\/\/([\w.:[\]-]+)\/?([^\n\r\u0085\u2028\u2029]*)$/.exec(url) ?? [];
    if (host === undefined) return undefined;
    const parameters = keyValues(rest, ',');
    return { scheme: 'teradata', authority: `${host}:${parameters.get('dbs_port') ?? 1025}`, database: parameters.get('database') ?? '' };
  },
};

/** `key=value` pairs; keys lower-cased and not trimmed, the last one wins, pairs without value or with two `=` are void. */
export function keyValues(text: string, separator: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const pair of text.split(separator)) {
    const [key, value, ...more] = pair.split('=');
    if (key !== undefined && value !== undefined && value !== '' && more.length === 0) found.set(key.toLowerCase(), value);
  }
  return found;
}
