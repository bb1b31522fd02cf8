// Addresses of a database: ours (mysql://user:password@host/db) and those of JDBC (jdbc:mysql://host/).
import type { Definition } from '../table.ts';
import { Unreadable } from '../table.ts';

/** `base-url` of a JDBC catalog on the server of this URL, without user and password. */
export function baseUrlOf(url: string): string {
  const { protocol, host } = new URL(url);
  return `jdbc:${protocol === 'postgres:' ? 'postgresql:' : protocol}//${host}/`;
}

/**
 * The database URL that a JDBC catalog of a script would connect with.
 * @throws Unreadable where the script does not define it as one of a database that is known here
 */
export function urlOfDefinition(definition: Definition): string {
  const options = definition?.type === 'jdbc' ? definition.options : undefined;
  const [, scheme, host] = /^jdbc:(mysql|mariadb|postgresql):\/\/([^/?#,@\s]+)/i.exec(options?.['base-url'] ?? '') ?? [];
  if (options === undefined || scheme === undefined || host === undefined) {
    throw new Unreadable('catalog', 'the script defines no JDBC catalog of MySQL, MariaDB or PostgreSQL under this name');
  }
  const user = encodeURIComponent(options['username'] ?? '');
  const password = options['password'] === undefined ? '' : `:${encodeURIComponent(options['password'])}`;
  return `${scheme.toLowerCase()}://${user === '' ? '' : `${user}${password}@`}${host}/`;
}

/** The same server, another database. */
export function inDatabase(url: string, database: string): string {
  const other = new URL(url);
  other.pathname = `/${encodeURIComponent(database)}`;
  return other.href;
}
