// jdbc: the bytes of openlineage-java's JdbcDatasetUtils with empty driver properties, as Flink's and Spark's listeners
// call it. Tables of a JDBC catalog get the url that the catalog makes for their database.
import { type Connector, invalid, missing, type Naming, named, refuse, tableLink } from '../connector.ts';
import type { IdentityFacts, IdentitySettings } from '../identity.ts';
import { jdbcAlternates, withDefaultSchema } from '../jdbc/alternates.ts';
import { hideCredentials } from '../jdbc/credentials.ts';
import { isDerby, nameJdbc } from '../jdbc/jdbc.ts';

const gravitinoPostgres = /^gravitino-jdbc-postgresql$/i;

function name(facts: IdentityFacts, settings: IdentitySettings): Naming {
  const { options, catalog, path } = facts;
  const base = catalog?.options['base-url'];
  if (options['url'] !== undefined || (base === undefined && options['connector'] !== undefined)) {
    if (options['url'] === undefined) return missing('url');
    if (options['table-name'] === undefined) return missing('table-name');
    return nameAt(options['url'], options['table-name'], settings);
  }
  if (base === undefined) return refuse('OPTION_MISSING', "catalog option 'base-url' is missing");
  const [address = '', query = ''] = /^([^?]*)(\?[\s\S]*)?$/.exec(base)?.slice(1) ?? [];
  const at = (database: string): string => `${address.replace(/\/$/, '')}/${database}${query}`;
  if (gravitinoPostgres.test(catalog?.type ?? '')) {
    // Gravitino's schemas are those of one PostgreSQL database.
    const database = catalog?.options['default-database'];
    return database === undefined
      ? refuse('OPTION_MISSING', "catalog option 'default-database' is missing")
      : nameAt(at(database), `${path[1]}.${path[2]}`, settings);
  }
  const isPostgres = /^jdbc:postgres/i.test(base);
  return nameAt(at(path[1]), isPostgres && !path[2].includes('.') ? `public.${path[2]}` : path[2], settings);
}

/** Names `table` behind a JDBC url (of any option) with its alternates. */
export function nameAt(url: string, table: string, settings: IdentitySettings): Naming {
  if (isDerby(url)) return invalid('url', 'is an embedded Derby database, which has no address');
  const name = nameJdbc(url, table, settings.jdbcNameRule);
  if (name === undefined) return invalid('url', 'is empty');
  const links = jdbcAlternates(url, table, name, settings.jdbcNameRule);
  const complete = settings.completeDefaultSchema === true ? withDefaultSchema(url, table, name) : undefined;
  return complete === undefined
    ? named(name.namespace, name.name, links)
    : named(complete.namespace, complete.name, [tableLink(name.namespace, name.name), ...links]);
}

export const jdbc: Connector = {
  names: ['jdbc'],
  catalogs: ['jdbc', 'gravitino-jdbc-mysql', 'gravitino-jdbc-postgresql'],
  keys: ['url', 'table-name'],
  catalogKeys: ['base-url', 'default-database'],
  clean: { url: hideCredentials, 'base-url': hideCredentials },
  name,
  rule: {
    namespace:
      '`scheme://hosts` of `url` in lower case with the default port of its dialect; the sanitized url where its hosts are no RFC 2396 hosts',
    name: 'the database of `url`, a dot, `table-name` as written; three or more parts stay alone',
  },
  authority: 'openlineage-java 1.55 (JdbcDatasetUtils) = Flink and Spark listeners',
  alternates:
    'the name with the default schema (PostgreSQL, SQL Server), without quotes, the plain address after the fallback, `mssql://`, the documented forms of Trino, Redshift and Snowflake',
  example: {
    options: { connector: 'jdbc', url: 'jdbc:postgresql://pg:5432/app', 'table-name': 'public.orders' },
    namespace: 'postgres://pg:5432',
    name: 'app.public.orders',
  },
};
