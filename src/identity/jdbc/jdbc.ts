// JdbcDatasetUtils of openlineage-java: url + table name -> namespace + name, byte for byte.
// `1.53` prefixes the url's database always, `1.54` (and later) only names of fewer than three parts.
import { javaSplit } from '../java/text.ts';
import { cassandra, clickhouse, crate, db2, generic, mysql, oceanbase, postgres, teradata, trino } from './dialects.ts';
import type { JdbcDialect, JdbcLocation } from './location.ts';
import { oracle } from './oracle.ts';
import { sanitize } from './sanitizer.ts';
import { sqlserver } from './sqlserver.ts';

export type JdbcNameRule = '1.54' | '1.53';

export interface JdbcName {
  readonly namespace: string;
  readonly name: string;
  /** What the url was read as; undefined after the fallback, where the namespace is the sanitized url. */
  readonly location: JdbcLocation | undefined;
}

// The first that claims a url answers for it. Derby is missing: its official name is the working directory of the JVM.
const dialects: readonly JdbcDialect[] = [
  postgres,
  oracle,
  mysql,
  sqlserver,
  teradata,
  crate,
  db2,
  trino,
  oceanbase,
  clickhouse,
  cassandra,
  generic,
];

/** The url without one leading `jdbc:` of any case (a blank before it defeats it). */
export const withoutJdbc = (url: string): string => url.replace(/^jdbc:/i, '');

/** Embedded Derby databases have no address. */
export const isDerby = (url: string): boolean => withoutJdbc(url).startsWith('derby:');

/** Names `table` (raw, quotes kept) behind `url`; undefined where the official code throws (an empty url). */
export function nameJdbc(url: string, table: string, rule: JdbcNameRule): JdbcName | undefined {
  const address = withoutJdbc(url);
  if (address === '') return undefined;
  const parts = javaSplit(table, '.');
  const dialect = dialects.find((each) => each.claims(address)) ?? generic;
  const location = dialect.read(address);
  if (location === undefined) return { namespace: sanitize(address), name: parts.join('.'), location };
  const { scheme, authority, instance, database } = location;
  const complete = (dialect.qualifiedAtTwo === true && parts.length >= 2) || (rule === '1.54' && parts.length >= 3);
  return {
    namespace: `${scheme.toLowerCase()}://${authority.toLowerCase()}${instance === undefined ? '' : `/${instance}`}`,
    name: (database === '' || complete ? parts : [database, ...parts]).join('.'),
    location,
  };
}
