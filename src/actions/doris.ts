// Whole-database synchronisation of the Flink connector of Apache Doris (CdcTools).
import type { Finding, Recognised } from './actions.ts';
import { type Parameters, parametersOf } from './arguments.ts';
import { literalNames, matches } from './patterns.ts';
import { table } from './table.ts';
import { copied, leftOut, missing, nothing, type Read, type Tool, united } from './tool.ts';

interface Source {
  readonly connector: string;
  readonly conf: string;
  /** Options that stand before the table in messages. */
  readonly levels: readonly string[];
  readonly tableKey: string;
}

const sources: Readonly<Record<string, Source>> = {
  'mysql-sync-database': { connector: 'mysql-cdc', conf: 'mysql-conf', levels: ['database-name'], tableKey: 'table-name' },
  'oracle-sync-database': {
    connector: 'oracle-cdc',
    conf: 'oracle-conf',
    levels: ['database-name', 'schema-name'],
    tableKey: 'table-name',
  },
  'postgres-sync-database': {
    connector: 'postgres-cdc',
    conf: 'postgres-conf',
    levels: ['database-name', 'schema-name'],
    tableKey: 'table-name',
  },
  'sqlserver-sync-database': {
    connector: 'sqlserver-cdc',
    conf: 'sqlserver-conf',
    levels: ['database-name', 'schema-name'],
    tableKey: 'table-name',
  },
  'db2-sync-database': { connector: 'db2-cdc', conf: 'db2-conf', levels: ['database-name', 'schema-name'], tableKey: 'table-name' },
  'mongodb-sync-database': { connector: 'mongodb-cdc', conf: 'mongodb-conf', levels: ['database'], tableKey: 'collection' },
};

function readSync(source: Source, given: Parameters): Read {
  if (given.has('create-table-only')) return nothing;
  const [database, including] = [given.one('database'), given.one('including-tables')];
  if (database === undefined) return missing('--database');
  const names = including === undefined ? undefined : literalNames(including);
  if (names === undefined)
    return leftOut('PATTERN_UNRESOLVED', '--including-tables does not list tables; which ones there are only the source knows');
  return united(names.map((name) => readTable(source, given, database, name)));
}

function readTable(source: Source, given: Parameters, database: string, name: string): Read {
  const excluding = given.one('excluding-tables');
  const excluded = excluding === undefined ? false : matches(excluding, name);
  const target = targetOf(given, name);
  if (excluded === true) return nothing;
  if (excluded === undefined || target === undefined) {
    const argument = excluded === undefined ? '--excluding-tables' : '--multi-to-one-origin';
    return leftOut('PATTERN_UNRESOLVED', `whether ${argument} matches table ${name} is not certain`);
  }
  const conf = given.pairs(source.conf);
  const levels = source.levels.map((key) => conf[key] ?? '');
  return copied({
    sources: [table(source.connector, [...levels, name], { ...conf, [source.tableKey]: name })],
    sink: table('doris', [database, target], { ...given.pairs('sink-conf'), 'table.identifier': `${database}.${target}` }),
  });
}

/** The rule that matches last is taken, in an order that is not kept; so two that match are none. */
function targetOf(given: Parameters, name: string): string | undefined {
  const [origins, targets] = [given.one('multi-to-one-origin')?.split('|'), given.one('multi-to-one-target')?.split('|')];
  const plain = `${given.one('table-prefix') ?? ''}${name}${given.one('table-suffix') ?? ''}`;
  if (origins === undefined || targets === undefined) return plain;
  const found = new Set<string>();
  for (const [i, origin] of origins.entries()) {
    const matched = matches(origin, name);
    if (matched === undefined) return undefined;
    if (matched) found.add(targets[i] ?? '');
  }
  const [target] = found;
  return found.size > 1 ? undefined : (target ?? plain);
}

const unknownAction = (action: string): Finding => ({
  code: 'JOB_ACTION_UNKNOWN',
  message: `action ${action.slice(0, 100) || '(none)'} is not known`,
});

export const doris: Tool = {
  name: 'doris',
  mainClasses: ['org.apache.doris.flink.tools.cdc.CdcTools'],
  jars: /^flink-doris-connector-.*\.jar$/,
  read(_program, [first = '', ...words]): Recognised {
    const action = first.toLowerCase();
    const source = Object.hasOwn(sources, action) ? sources[action] : undefined;
    const read = source === undefined ? { transfers: [], findings: [unknownAction(action)] } : readSync(source, parametersOf(words));
    return { tool: 'doris', action, ...read };
  },
  actions: [
    {
      action: '`mysql-sync-database`, `oracle-`, `postgres-`, `sqlserver-`, `db2-`, `mongodb-`',
      arguments:
        '`--database`, `--including-tables a\\|b`, `--excluding-tables`, `--table-prefix`, `--table-suffix`, `--multi-to-one-origin/-target`, `--*-conf`, `--sink-conf`',
      reported: 'each table that is named → its Doris table',
      not: 'tables behind a pattern, or all of a database when none is named',
    },
  ],
};
