// The exact rights of the two users: `run` reads columns and owns its state tables, `migrate` changes the opt-in.
// Printed for the database at hand, because a GRANT on a column that does not exist is an error on both families.

import { optInColumn, propertyColumns } from '../watch/watch.ts';
import type { Login } from './failures.ts';
import type { AppTable } from './footprint.ts';
import { type GrantFacts, quoting } from './grantfacts.ts';
import { readColumns } from './reads.ts';
import { type NarrowView, narrowViews, viewStatements } from './views.ts';

/** A piece of the printed script: what it is for, and its statements without semicolons. */
export interface GrantSection {
  readonly title: string;
  /** A right on lineage_enable can only be given once `migrate up` has made the column. */
  readonly when: 'before migrate up' | 'after migrate up';
  readonly statements: readonly string[];
}

export const runUser = 'lineage_run';
export const migrateUser = 'lineage_migrate';

/** All sections for both users, in the order in which an administrator runs them. */
export function grantSections(facts: GrantFacts): GrantSection[] {
  return [...(facts.family === 'mysql' ? mysqlBefore(facts) : postgresBefore(facts)), ...after(facts)];
}

/** The views alone. */
export function viewSections(facts: GrantFacts): GrantSection[] {
  return [{ title: 'views that show less than t_setting and t_variable', when: 'after migrate up', statements: viewStatements(facts) }];
}

function mysqlBefore(facts: GrantFacts): GrantSection[] {
  const { name, user, table } = words(facts);
  return [
    before('users; choose the passwords', [
      `CREATE USER ${user(runUser)} IDENTIFIED BY '…'`,
      `CREATE USER ${user(migrateUser)} IDENTIFIED BY '…'`,
    ]),
    before(`${runUser}: its own tables`, [
      `CREATE DATABASE IF NOT EXISTS ${name(facts.state)} CHARACTER SET utf8mb4 COLLATE utf8mb4_bin`,
      // in a grant on a whole database _ stands for any character
      `GRANT SELECT, INSERT, UPDATE, DELETE, CREATE, ALTER, DROP, INDEX ON ${name(facts.state.replaceAll('_', '\\_'))}.* TO ${user(runUser)}`,
    ]),
    before(`${migrateUser}: the column and the settings rows`, [
      ...appTables(facts).map((app) => `GRANT ALTER, CREATE, INSERT ON ${table(app)} TO ${user(migrateUser)}`),
      ...(facts.columns.has('t_setting') ? [`GRANT SELECT, INSERT, DELETE ON ${table('t_setting')} TO ${user(migrateUser)}`] : []),
    ]),
  ];
}

function postgresBefore(facts: GrantFacts): GrantSection[] {
  const { name, user } = words(facts);
  return [
    before('users; choose the passwords', [
      `CREATE ROLE ${user(runUser)} LOGIN PASSWORD '…'`,
      `CREATE ROLE ${user(migrateUser)} LOGIN PASSWORD '…'`,
    ]),
    before(`${runUser}: its own tables`, [`CREATE SCHEMA IF NOT EXISTS ${name(facts.state)} AUTHORIZATION ${user(runUser)}`]),
    before(`${migrateUser}: the column and the settings rows, as a member of the owner of the tables`, [
      `GRANT ${name(facts.owner ?? 'owner of the tables')} TO ${user(migrateUser)}`,
    ]),
  ];
}

function after(facts: GrantFacts): GrantSection[] {
  const { name, user, table } = words(facts);
  const mysql = facts.family === 'mysql';
  const schema = mysql ? [] : [`GRANT USAGE ON SCHEMA ${name(facts.source)} TO ${user(runUser)}`];
  const update = appTables(facts)
    .filter((app) => facts.columns.get(app)?.includes(optInColumn))
    .map((app) => `GRANT UPDATE (${optInColumn}) ON ${table(app)} TO ${user(migrateUser)}`);
  const apps = [...selects(facts, migrateUser, [...appTables(facts), 't_team']), ...update];
  return [
    ...(facts.views ? viewSections(facts) : []),
    {
      title: `${runUser}: reads StreamPark`,
      when: 'after migrate up',
      statements: [...schema, ...selects(facts, runUser, Object.keys(readColumns))],
    },
    ...injectionSections(facts),
    ...(mysql ? [{ title: `${migrateUser}: apps enable, apps disable`, when: 'after migrate up' as const, statements: apps }] : []),
  ];
}

/** Rights that only `injection.enabled` needs. */
function injectionSections(facts: GrantFacts): GrantSection[] {
  const { name, user, table } = words(facts);
  const statements = (['flink', 'spark'] as const).flatMap((engine) => {
    const [of, column] = [`t_${engine}_app`, propertyColumns[engine]];
    if (!facts.columns.get(of)?.includes(column)) return [];
    return [`GRANT SELECT (${name(column)}), UPDATE (${name(column)}) ON ${table(of)} TO ${user(runUser)}`];
  });
  return statements.length === 0 ? [] : [{ title: `${runUser}: only with injection.enabled`, when: 'after migrate up', statements }];
}

function selects(facts: GrantFacts, to: string, tables: readonly string[]): string[] {
  const { name, user, table } = words(facts);
  return tables.flatMap((of) => {
    const has = facts.columns.get(of);
    if (has === undefined) return [];
    const view = facts.views ? (narrowViews as Readonly<Record<string, NarrowView>>)[of] : undefined;
    if (view !== undefined) return [`GRANT SELECT ON ${table(view.name)} TO ${user(to)}`];
    const columns = (readColumns[of] ?? []).filter((column) => has.includes(column));
    return [`GRANT SELECT (${columns.map(name).join(', ')}) ON ${table(of)} TO ${user(to)}`];
  });
}

const before = (title: string, statements: readonly string[]): GrantSection => ({ title, when: 'before migrate up', statements });

const appTables = ({ columns }: GrantFacts): AppTable[] => (['t_flink_app', 't_spark_app'] as const).filter((table) => columns.has(table));

function words(facts: GrantFacts) {
  const q = quoting(facts.family);
  return { ...q, table: (table: string) => `${q.name(facts.source)}.${q.name(table)}` };
}

/** The sections as one SQL script. */
export function grantScript(sections: readonly GrantSection[]): string {
  return sections
    .map(({ title, when, statements }) => [`-- ${when} · ${title}`, ...statements.map((s) => `${s};`)].join('\n'))
    .join('\n\n');
}

/** The one statement that gives `login` what a step of the migration needs on `table`. */
export function migrateGrant(login: Login, table: AppTable | 't_setting'): string {
  const q = quoting(login.family);
  const on = `${q.name(login.source)}.${q.name(table)}`;
  if (table === 't_setting') return `GRANT SELECT, INSERT, DELETE ON ${on} TO ${login.user};`;
  return login.family === 'mysql'
    ? `GRANT ALTER, CREATE, INSERT ON ${on} TO ${login.user};`
    : `GRANT ${q.name(login.owner ?? 'owner of the table')} TO ${login.user};`;
}
