// The SQL of the opt-in migration, from what is there to what shall be there. Pure: `--dry-run` prints exactly what would run.
// Every statement is complete by itself, so a run that stopped half way is continued by planning again.
import { type StoredKey, storedKeys } from '../settings/settings.ts';
import { optInColumn } from '../watch/watch.ts';
import type { AppTable, Footprint } from './footprint.ts';
import { settingRows } from './settingrows.ts';

/** One statement of the migration. It holds no value that came from outside. */
export interface Statement {
  /** One line for people: `t_flink_app: add lineage_enable`. */
  readonly purpose: string;
  readonly table: AppTable | 't_setting';
  /** Without the closing semicolon. */
  readonly sql: string;
}

/**
 * What `migrate up` runs: the column on every application table that lacks it (MySQL `tinyint` default 0, PostgreSQL `boolean`
 * default false, both nullable as the console's own inserts require), then the rows of t_setting that are missing.
 * An existing column of another usable type and existing rows are left as they are.
 */
export function planUp(footprint: Footprint): Statement[] {
  const { family } = footprint;
  const columns = footprint.tables
    .filter((t) => t.optIn === undefined)
    .map(({ table }): Statement => {
      const type = family === 'mysql' ? 'tinyint null default 0' : 'boolean default false';
      const guard = family === 'mysql' ? '' : 'if not exists ';
      return { table, purpose: `${table}: add ${optInColumn}`, sql: `alter table ${table} add column ${guard}${optInColumn} ${type}` };
    });
  const rows = (footprint.settings ?? []).filter((row) => !row.present).map(({ key }) => insertRow(footprint, key));
  return [...columns, ...rows];
}

/** What `migrate down` runs: all our rows of t_setting, whatever their value, then the column. */
export function planDown(footprint: Footprint): Statement[] {
  const guard = footprint.family === 'mysql' ? '' : 'if exists ';
  const present = (footprint.settings ?? []).filter((row) => row.present);
  const rows: Statement[] =
    present.length === 0
      ? []
      : [
          {
            table: 't_setting',
            purpose: `t_setting: delete ${present.map((row) => row.key).join(', ')}`,
            sql: `delete from t_setting where setting_key in (${storedKeys.map(quote).join(', ')})`,
          },
        ];
  const columns = footprint.tables
    .filter((t) => t.optIn !== undefined)
    .map(
      ({ table }): Statement => ({
        table,
        purpose: `${table}: drop ${optInColumn}`,
        sql: `alter table ${table} drop column ${guard}${optInColumn}`,
      }),
    );
  return [...rows, ...columns];
}

/** MySQL 5.7 to PostgreSQL 13 take the same text; the guard makes it harmless when the row has appeared meanwhile. */
function insertRow({ family }: Footprint, key: StoredKey): Statement {
  const { order, value, type, description } = settingRows[key];
  const values = [order, quote(key), value === null ? 'null' : quote(value), quote(key), quote(description), type].join(', ');
  const from = family === 'mysql' ? ' from dual' : '';
  return {
    table: 't_setting',
    purpose: `t_setting: add ${key}`,
    sql:
      'insert into t_setting (order_num, setting_key, setting_value, setting_name, description, type) ' +
      `select ${values}${from} where not exists (select 1 from t_setting where setting_key = ${quote(key)})`,
  };
}

/** Only for the constants of this folder, none of which holds a quote or a backslash. */
const quote = (text: string): string => `'${text}'`;
