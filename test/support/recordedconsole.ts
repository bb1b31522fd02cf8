// A recorded console, writing into a real database again: the dump is rewound to the state before its first recorded write,
// then the row changes are applied in the transactions in which the console made them.
import { deleteText, insertText, updateText } from './sqltext.ts';
import { type DumpName, type Family, loadDump, type TestDatabase } from './streampark.ts';
import { type RecordedChange, type Recording, readRecording } from './timeline.ts';

type Row = Readonly<Record<string, unknown>>;
/** Rows by table, in the order of their keys. */
export type Contents = Readonly<Record<string, readonly Row[]>>;

export interface RecordedConsole {
  readonly database: TestDatabase;
  readonly recording: Recording;
  readonly transactions: readonly (readonly RecordedChange[])[];
  write(transaction: readonly RecordedChange[]): Promise<void>;
  /** All rows of the tables that the recording touches, as they are now; without the opt-in column. */
  contents(): Promise<Contents>;
  /** The same, of the dump as it was loaded. */
  readonly dumped: Contents;
  drop(): Promise<void>;
}

/** Tables whose key is not `id`. */
const keyColumns: Readonly<Record<string, string>> = { t_setting: 'setting_key', t_app_build_pipe: 'app_id', t_user: 'user_id' };
const optInTables: ReadonlySet<string> = new Set(['t_flink_app', 't_spark_app']);

/**
 * Loads a dump and rewinds it.
 * @param rewrite exchanges a change, for instance the script in it, before it is written
 */
export async function openRecordedConsole(
  shared: string,
  name: DumpName,
  rewrite: (change: RecordedChange) => RecordedChange = (change) => change,
): Promise<RecordedConsole> {
  const recording = readRecording(shared, `${name}-full-history.jsonl`);
  const database = await loadDump(shared, name);
  const { family } = database;
  const run = (changes: readonly RecordedChange[], statement: (family: Family, change: RecordedChange) => string) =>
    database.query(['begin', ...changes.map((change) => statement(family, change)).filter((s) => s !== ''), 'commit'].join(';\n'));
  try {
    // The dump's own triggers must not add to what the recorded ones saw.
    if (family === 'postgres') await database.query('set session_replication_role = replica');
    const tables = [...new Set(recording.changes.map((change) => change.table))].sort();
    const contents = async () => {
      const rows: Record<string, Row[]> = {};
      for (const table of tables) {
        const found = await database.query(`select * from ${table} order by ${keyColumns[table] ?? 'id'}`);
        rows[table] = found.map(({ lineage_enable: _, ...row }) => row);
      }
      return rows;
    };
    const dumped = await contents();
    const whole = (change: RecordedChange) => uncut(change, dumped[change.table] ?? []);
    await run([...recording.changes].reverse(), (of, change) => statementOf(of, reversed(change)));
    return {
      database,
      recording,
      transactions: name.endsWith('2.1.7') ? grouped(recording.changes) : recording.changes.map((change) => [change]),
      write: async (transaction) => void (await run(transaction, (of, change) => statementOf(of, optedIn(of, rewrite(whole(change)))))),
      contents,
      dumped,
      drop: () => database.drop(),
    };
  } catch (error) {
    await database.drop();
    throw error;
  }
}

/** The recording shortens long texts (stack traces) by `…`; the dump still has them whole. */
function uncut(change: RecordedChange, rows: readonly Row[]): RecordedChange {
  const entries = Object.entries(change.changed).map(([column, [before, after]]) => {
    if (typeof after !== 'string' || !after.endsWith('…')) return [column, [before, after]] as const;
    const row = rows.find((r) => String(r[keyColumns[change.table] ?? 'id']) === change.key);
    const text = row?.[column];
    return [column, [before, typeof text === 'string' && text.startsWith(after.slice(0, -1)) ? text : after]] as const;
  });
  return { ...change, changed: Object.fromEntries(entries) };
}

/** Every application is opted in from its creation on, so that the whole history counts. */
function optedIn(family: Family, change: RecordedChange): RecordedChange {
  if (!optInTables.has(change.table)) return change;
  const { lineage_enable: _, ...changed } = change.changed;
  return { ...change, changed: change.op === 'INSERT' ? { ...changed, lineage_enable: [null, family === 'mysql' ? 1 : true] } : changed };
}

const inverse = { INSERT: 'DELETE', DELETE: 'INSERT', UPDATE: 'UPDATE' } as const;

function reversed(change: RecordedChange): RecordedChange {
  const changed = Object.fromEntries(Object.entries(change.changed).map(([column, [before, after]]) => [column, [after, before]] as const));
  return { ...change, op: inverse[change.op], changed };
}

function statementOf(family: Family, { table, op, key, changed }: RecordedChange): string {
  const row = Object.fromEntries(Object.entries(changed).map(([column, [, value]]) => [column, value] as const));
  const at = { [keyColumns[table] ?? 'id']: key };
  if (op === 'DELETE') return deleteText(family, table, at);
  if (op === 'INSERT') return insertText(family, table, row);
  return Object.keys(row).length === 0 ? '' : updateText(family, table, at, row);
}

/** Release 2.1.7 writes a creation, an edit, and the beginning of a start (state, effective script, candidate) in one transaction each. */
function grouped(changes: readonly RecordedChange[]): RecordedChange[][] {
  const groups: RecordedChange[][] = [];
  let last: RecordedChange | undefined;
  for (const change of changes) {
    const group = groups.at(-1);
    if (group !== undefined && last !== undefined && together(group, last, change)) group.push(change);
    else groups.push([change]);
    last = change;
  }
  return groups;
}

const ofScript = ({ table }: RecordedChange): boolean => table === 't_flink_sql' || table === 't_flink_effective';

function together(group: readonly RecordedChange[], last: RecordedChange, change: RecordedChange): boolean {
  const first = group[0] as RecordedChange;
  const isApp = (c: RecordedChange) => c.table === 't_flink_app';
  const createsOrStarts = isApp(first) && (first.op === 'INSERT' || first.changed['state']?.[1] === 3);
  if (createsOrStarts) return ofScript(change) && change.op !== 'DELETE' && change.t_ms - first.t_ms < 500;
  const edits = first.table === 't_flink_sql' && (first.op === 'INSERT' || first.op === 'DELETE');
  if (!edits || isApp(last)) return false;
  return change.table === 't_flink_sql' || (isApp(change) && change.op === 'UPDATE' && 'release' in change.changed);
}
