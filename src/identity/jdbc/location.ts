// What an extractor reads out of a JDBC url, and the generic reading that most dialects share
// (openlineage-java, client/utils/jdbc; rules and vectors in the JDBC chapter of the naming reference).
import { parseJavaUri } from '../java/uri.ts';

/** Parts of a JDBC url that make a name. `authority` is a host list with ports, as written. */
export interface JdbcLocation {
  readonly scheme: string;
  readonly authority: string;
  readonly instance?: string;
  readonly database: string;
}

/** One dialect: undefined where the official code ends in a syntax error and falls back to the sanitized url. */
export interface JdbcDialect {
  /** Whether this dialect answers for the url (without `jdbc:`). */
  claims(url: string): boolean;
  read(url: string): JdbcLocation | undefined;
  /** A table name of two parts already names its database. */
  readonly qualifiedAtTwo?: boolean;
}

// Selected by a comma anywhere in the url, the query included: all of it must match, so a `-` in the database or user
// info ends in the fallback while `_` in a host is fine here. `.` and `$` of Java stop at line ends.
const hostList = /^(\w+):\/\/([\w.[\]:,-]+)\/?([\w.]+)?(?:\?[^\n\r\u0085\u2028\u2029]*)?$/;

/** The generic reading: `scheme://hosts[/database][?…]`. */
export function readGeneric(url: string): JdbcLocation | undefined {
  if (url.includes(',')) {
    const [, scheme, authority, database = ''] = hostList.exec(url) ?? [];
    return scheme === undefined || authority === undefined ? undefined : { scheme, authority, database };
  }
  const uri = parseJavaUri(url);
  if (uri === undefined || uri.scheme === null || uri.host === null) return undefined;
  const authority = uri.port > 0 ? `${uri.host}:${uri.port}` : uri.host;
  return { scheme: uri.scheme, authority, database: (uri.path ?? '').replace(/^\//, '') };
}

/** Gives every host of the list without `:` and digits at its end the dialect's port. */
export function withPort(location: JdbcLocation | undefined, scheme: string, port: number): JdbcLocation | undefined {
  if (location === undefined) return undefined;
  const hosts = javaHosts(location.authority).map((host) => (hasPort.test(host) ? host : `${host}:${port}`));
  return { ...location, scheme, authority: hosts.join(',') };
}

const hasPort = /^(?:[^:]+|\[[^\]]*\]):\d*$/;

const javaHosts = (authority: string): string[] => {
  const hosts = authority.split(',');
  while (hosts.length > 1 && hosts[hosts.length - 1] === '') hosts.pop();
  return hosts;
};

/** `replaceAll("\\?.*$", "")` of Java: `.` stops at line ends, `$` also stands before a final one. */
export const cutQuery = (url: string): string => url.replace(/\?[^\n\r\u0085\u2028\u2029]*(?=(?:\r\n|[\n\r\u0085\u2028\u2029])?$)/, '');
