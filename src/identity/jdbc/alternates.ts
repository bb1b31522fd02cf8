// Other names of the same JDBC table, as other official producers or the naming documentation write them.
import { tableLink } from '../connector.ts';
import type { Symlink } from '../identity.ts';
import { javaSplit } from '../java/text.ts';
import { cutUserInfo } from '../user-info.ts';
import { type JdbcName, type JdbcNameRule, nameJdbc, withoutJdbc } from './jdbc.ts';

/** Symlinks of a named table; only names that are real in their namespace. */
export function jdbcAlternates(url: string, table: string, name: JdbcName, rule: JdbcNameRule): (Symlink | undefined)[] {
  if (name.location === undefined) return cleanForm(url, table, rule);
  const parts = unquoted(table);
  const links = [unquotedForm(url, table, parts, rule)];
  switch (name.location.scheme.toLowerCase()) {
    case 'postgres':
      return [...links, schemaForm(name, parts, currentSchema(url))];
    case 'sqlserver':
      return [...links, schemaForm(name, parts, 'dbo'), ...airflowForm(name, parts)];
    case 'trino':
      return [...links, trinoForm(name, parts)];
    case 'redshift':
      return [...links, redshiftForm(name)];
    case 'snowflake':
      return [...links, snowflakeForm(url, name, parts)];
    default:
      return links;
  }
}

/** Names of the parts without their quotes; a dot inside quotes cannot be told, then nothing is stripped. */
function unquoted(table: string): readonly string[] {
  const parts = javaSplit(table, '.');
  const inner = parts.map(
    (part) =>
      /^(?:"([^"]+)"|`([^`]+)`|\[([^\]]+)\])$/
        .exec(part)
        ?.slice(1)
        .find((text) => text !== undefined) ?? part,
  );
  return inner.some((part) => /["`[\]]/.test(part)) ? parts : inner;
}

function unquotedForm(url: string, table: string, parts: readonly string[], rule: JdbcNameRule): Symlink | undefined {
  const plain = parts.join('.');
  const name = plain === table ? undefined : nameJdbc(url, plain, rule);
  return name === undefined ? undefined : tableLink(name.namespace, name.name);
}

/** The name of a table that is written without schema, with the default one; undefined where there is none to add. */
export function withDefaultSchema(url: string, table: string, name: JdbcName): Symlink | undefined {
  const scheme = name.location?.scheme.toLowerCase();
  if (scheme === 'postgres') return schemaForm(name, unquoted(table), currentSchema(url));
  return scheme === 'sqlserver' ? schemaForm(name, unquoted(table), 'dbo') : undefined;
}

/** PostgreSQL and SQL Server complete a bare table with the default schema; CDC producers write it out. */
function schemaForm(name: JdbcName, parts: readonly string[], schema: string): Symlink | undefined {
  const database = name.location?.database ?? '';
  const [table] = parts;
  return parts.length !== 1 || database === '' || table === undefined || table === ''
    ? undefined
    : tableLink(name.namespace, `${database}.${schema}.${table}`);
}

const currentSchema = (url: string): string => /[?&]currentSchema=([^&,]+)/.exec(url)?.[1] ?? 'public';

/** Airflow, dbt and the documentation say `mssql` and always a port. A named instance has no known one. */
function airflowForm(name: JdbcName, parts: readonly string[]): (Symlink | undefined)[] {
  const [, address, instance] = /^sqlserver:\/\/([^/]*)(\/.*)?$/.exec(name.namespace) ?? [];
  const port = /:\d+$/.test(address ?? '') ? '' : ':1433';
  if (address === undefined || (instance !== undefined && port !== '')) return [];
  const other = { ...name, namespace: `mssql://${address}${port}` };
  return [tableLink(other.namespace, name.name), schemaForm(other, parts, 'dbo')];
}

/** Documentation: `catalog.schema.table`, where the url says `catalog/schema`. */
function trinoForm(name: JdbcName, parts: readonly string[]): Symlink | undefined {
  const levels = (name.location?.database ?? '').split('/').filter((level) => level !== '');
  const missing = 3 - parts.length;
  return missing < 1 || levels.length < missing ? undefined : tableLink(name.namespace, [...levels.slice(0, missing), ...parts].join('.'));
}

/** Documentation: `redshift://cluster.region:port`. */
function redshiftForm(name: JdbcName): Symlink | undefined {
  const [, cluster, region, port = ':5439'] =
    /^redshift:\/\/([^.]+)\.[^.]+\.([^.]+)\.redshift\.amazonaws\.com(:\d+)?$/.exec(name.namespace) ?? [];
  return cluster === undefined ? undefined : tableLink(`redshift://${cluster}.${region}${port}`, name.name);
}

/** Documentation: `snowflake://account`, `DB.SCHEMA.TABLE` in upper case. */
function snowflakeForm(url: string, name: JdbcName, parts: readonly string[]): Symlink | undefined {
  const [, account] = /^snowflake:\/\/([^:/]+)\.snowflakecomputing\.com/.exec(name.namespace) ?? [];
  const parameter = (key: string): string => new RegExp(`[?&]${key}=([^&]+)`, 'i').exec(url)?.[1] ?? '';
  const full = [parameter('db') || parameter('database'), parameter('schema') || 'PUBLIC', ''].slice(0, 3 - parts.length).concat(parts);
  return account === undefined || full.length !== 3 || full.includes('')
    ? undefined
    : tableLink(`snowflake://${account}`, full.join('.').toUpperCase());
}

/** After the fallback: the plain `scheme://host:port` with `db.table`, for hosts such as `my_db` that only Java refuses. */
function cleanForm(url: string, table: string, rule: JdbcNameRule): (Symlink | undefined)[] {
  const [, scheme, hosts, database = ''] =
    /^([\w+:]+):\/\/([\w.:,[\]-]+)(?:\/([^/?;#\s]*))?(?:[?;#][\s\S]*)?$/.exec(cutUserInfo(withoutJdbc(url))) ?? [];
  if (scheme === undefined || hosts === undefined || !plainSchemes.test(scheme) || !hosts.split(',').every(isPlainHost)) return [];
  // The comma selects the reading of host lists, which takes an underscore; it leaves no trace.
  const { namespace, location } = nameJdbc(`${scheme}://${hosts},`, table, rule) ?? {};
  if (namespace === undefined || location === undefined) return [];
  const parts = unquoted(table);
  const complete = parts.length > 2 || (parts.length === 2 && /^(?:mysql|clickhouse)/.test(namespace));
  const clean = { namespace: namespace.replace(/,$/, ''), name: (database === '' || complete ? parts : [database, ...parts]).join('.') };
  return [
    tableLink(clean.namespace, clean.name),
    location.scheme === 'postgres' ? schemaForm({ ...clean, location: { ...location, database } }, parts, currentSchema(url)) : undefined,
  ];
}

const plainSchemes = /^(?:mysql|postgres|mariadb|clickhouse|oceanbase|db2|trino)/i;

const isPlainHost = (host: string): boolean => /^(?:[\w.-]+|\[[^\]]*\])(?::\d{1,5})?$/.test(host);
