// Paimon's CDC actions: from a table, a topic or a database into Paimon.
import type { TableUse } from '../lineage/lineage.ts';
import type { Parameters } from './arguments.ts';
import { keepsCase, paimonTable, tablePath } from './paimon-table.ts';
import { literalNames, matches } from './patterns.ts';
import { table } from './table.ts';
import { copied, leftOut, missing, nothing, type Read, united } from './tool.ts';

type Kind = 'mysql' | 'postgres' | 'mongodb' | 'kafka' | 'pulsar';
type Options = Readonly<Record<string, string>>;

/** Options that name a table of a database, the table last. */
const levels: Readonly<Record<'mysql' | 'postgres' | 'mongodb', readonly string[]>> = {
  mysql: ['database-name', 'table-name'],
  postgres: ['database-name', 'schema-name', 'table-name'],
  mongodb: ['database', 'collection'],
};

export function syncTable(given: Parameters, kind: Kind): Read {
  const target = tablePath(given);
  if (target === undefined) return missing('--warehouse, --database or --table');
  const conf = given.pairs(`${kind}_conf`);
  const sources = kind === 'kafka' || kind === 'pulsar' ? [queue(kind, conf)] : tables(kind, conf);
  return copied({ sources, sink: paimonTable(target, given.pairs('catalog_conf')) });
}

/** Topics; those of Paimon's Pulsar option are parted by `,` or `;`. */
function queue(kind: 'kafka' | 'pulsar', conf: Options): TableUse {
  if (kind === 'kafka') return table('kafka', ['topic', conf['topic'] ?? conf['topic-pattern'] ?? ''], conf);
  const topics = conf['topic']
    ?.split(/[,;]/)
    .map((topic) => topic.trim())
    .join(';');
  return table('pulsar', ['topic', topics ?? ''], {
    'service-url': conf['pulsar.client.serviceUrl'],
    topics,
    'topic-pattern': conf['topic-pattern'],
  });
}

/** The tables of a source: each that is named, else the pattern as it is, which the naming rules refuse or look up. */
function tables(kind: 'mysql' | 'postgres' | 'mongodb', conf: Options): TableUse[] {
  const connector = `${kind}-cdc`;
  const keys = levels[kind];
  const names = keys.map((key) => literalNames(conf[key] ?? ''));
  const lists = names.filter((found) => (found?.length ?? 0) > 1);
  const whole = table(
    connector,
    keys.map((key) => conf[key] ?? ''),
    conf,
  );
  // two lists would name pairs that may not exist
  if (lists.length !== 1 || names.some((found) => found === undefined)) return [whole];
  const at = names.findIndex((found) => (found?.length ?? 0) > 1);
  return (names[at] ?? []).map((name) => {
    const options = { ...conf, [keys[at] ?? '']: escaped(name) };
    return table(
      connector,
      keys.map((key) => options[key] ?? ''),
      options,
    );
  });
}

/** A name as the pattern that stands for it alone. */
const escaped = (name: string): string => name.replace(/[.$]/g, '\\$&');

export function syncDatabase(given: Parameters, kind: 'mysql' | 'mongodb' | 'kafka' | 'pulsar'): Read {
  const catalog = given.pairs('catalog_conf');
  const warehouse = given.one('warehouse') ?? catalog['warehouse'];
  const database = given.one('database');
  if (warehouse === undefined || database === undefined) return missing('--warehouse or --database');
  const including = given.one('including_tables');
  const names = including === undefined ? undefined : literalNames(including);
  if (names === undefined)
    return leftOut('PATTERN_UNRESOLVED', '--including_tables does not list tables; which ones there are only the source knows');
  const origins = kind === 'mysql' || kind === 'mongodb' ? databases(given, kind) : topics(given, kind);
  if ('findings' in origins) return origins;
  if (origins.length > 1 && names.length > 1) {
    return leftOut('PATTERN_UNRESOLVED', 'which of several databases has which of several tables only the source knows');
  }
  return united(
    names.map((name) => {
      const excluding = given.one('excluding_tables');
      const excluded = excluding === undefined ? false : matches(excluding, name);
      if (excluded === undefined) return leftOut('PATTERN_UNRESOLVED', `whether --excluding_tables matches table ${name} is not certain`);
      if (excluded) return nothing;
      return united(
        origins.map(({ database: origin, use }) =>
          copied({
            sources: [use(name)],
            sink: paimonTable({ warehouse, database, table: targetName(given, origin, name, keepsCase(catalog)) }, catalog),
          }),
        ),
      );
    }),
  );
}

interface Origin {
  /** null where the messages of a topic say it. */
  readonly database: string | null;
  readonly use: (name: string) => TableUse;
}

function databases(given: Parameters, kind: 'mysql' | 'mongodb'): Origin[] | Read {
  const conf = given.pairs(`${kind}_conf`);
  const [databaseKey, tableKey] = kind === 'mysql' ? ['database-name', 'table-name'] : ['database', 'collection'];
  const names = literalNames(conf[databaseKey ?? ''] ?? '');
  if (names === undefined) return leftOut('PATTERN_UNRESOLVED', `${databaseKey} of --${kind}_conf does not list databases`);
  return names.map((database) => ({
    database,
    use: (name) =>
      table(`${kind}-cdc`, [database, name], { ...conf, [databaseKey ?? '']: escaped(database), [tableKey ?? '']: escaped(name) }),
  }));
}

function topics(given: Parameters, kind: 'kafka' | 'pulsar'): Origin[] | Read {
  const conf = given.pairs(`${kind}_conf`);
  const names = (conf['topic'] ?? '').split(kind === 'kafka' ? ';' : /[,;]/).filter((topic) => topic.trim() !== '');
  if (names.length !== 1) return leftOut('JOB_TABLES_UNKNOWN', 'which table comes from which topic is in the messages only');
  if (given.has('table_prefix_db') || given.has('table_suffix_db') || given.one('merge_shards') === 'false') {
    return leftOut('JOB_TABLES_UNKNOWN', 'names of tables depend on databases that are in the messages only');
  }
  return [{ database: null, use: () => queue(kind, conf) }];
}

/** As TableNameConverter: a mapping goes first, then prefix and suffix of the database, then those of all. */
function targetName(given: Parameters, database: string | null, table: string, keepCase: boolean): string {
  const cased = (text: string) => (keepCase ? text : text.toLowerCase());
  const raw = database !== null && given.one('merge_shards')?.toLowerCase() === 'false' ? `${database}_${table}` : table;
  const of = (key: string, wanted: string) =>
    Object.entries(given.pairs(key)).find(([name]) => name.toLowerCase() === wanted.toLowerCase())?.[1];
  const mapped = of('table_mapping', raw);
  if (mapped !== undefined) return cased(mapped);
  const prefix = of('table_prefix_db', database ?? '') ?? given.one('table_prefix') ?? '';
  const suffix = of('table_suffix_db', database ?? '') ?? given.one('table_suffix') ?? '';
  return prefix + cased(raw) + suffix;
}
