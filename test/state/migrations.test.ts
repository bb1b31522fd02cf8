// The SQL files themselves: numbered alike, within the common subset, split and judged rightly.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { locate } from '../../src/state/location.ts';
import {
  type AppliedMigration,
  installedSqlFolder,
  migrationOf,
  pendingMigrations,
  readMigrations,
  statementsOf,
} from '../../src/state/migrations.ts';
import { ownTables } from '../../src/state/schema.ts';
import { violations } from './sqlsubset.ts';

const families = ['mysql', 'postgres'] as const;

describe('sql files', () => {
  it('have the same numbers and names in both families', () => {
    const [mysql, postgres] = families.map((family) => readdirSync(join(installedSqlFolder, family)).sort());
    expect(mysql).toEqual(postgres);
    expect(mysql?.length).toBeGreaterThan(1);
  });

  it.each(families)('stay within the common subset (%s)', (family) => {
    for (const file of readdirSync(join(installedSqlFolder, family))) {
      const text = readFileSync(join(installedSqlFolder, family, file), 'utf8');
      for (const statement of statementsOf(text)) expect([file, statement, violations(statement)]).toEqual([file, statement, []]);
    }
  });

  it.each(families)('make each own table, with bytewise text on MySQL (%s)', (family) => {
    const { bootstrap, migrations } = readMigrations(installedSqlFolder, family);
    const statements = [bootstrap, ...migrations].flatMap((migration) => migration.statements);
    for (const table of ownTables) {
      const made = statements.filter((statement) => new RegExp(`^create table (if not exists )?${table} \\(`).test(statement));
      expect(made).toHaveLength(1);
      if (family === 'mysql') expect(made[0]).toMatch(/engine = InnoDB default character set = utf8mb4 collate = utf8mb4_bin$/);
    }
  });

  it('finds what it looks for', () => {
    const bad = [
      'select 1 for update skip locked',
      'with x as (select 1) select * from x',
      'select row_number() over (order by a) from t',
      'insert into t values (1) returning a',
      'alter table t add column if not exists a int',
      'insert ignore into t values (1)',
    ];
    for (const statement of bad) expect(violations(statement)).toHaveLength(1);
  });
});

describe('migrations', () => {
  it('are split at semicolons that end a line, without comments', () => {
    expect(statementsOf('-- a; b\ncreate table a (x int);  \r\n  -- c\ninsert into a\n  values (1);\n\nselect 1')).toEqual([
      'create table a (x int)',
      'insert into a\n  values (1)',
      'select 1',
    ]);
    expect(statementsOf(' \n-- only\n;\n')).toEqual([]);
  });

  const known = ['a', 'b', 'c'].map((text, index) =>
    migrationOf(index + 1, text, `${index === 1 ? '-- breaking\n' : ''}select '${text}';\n`),
  );
  const applied = (upTo: number, more: Partial<AppliedMigration> = {}): AppliedMigration[] =>
    known
      .slice(0, upTo)
      .map(({ number, name, checksum, breaking }) => ({ number, name, checksum, breaking, steps: 1, appliedAt: 1, ...more }));

  it('are marked breaking by their first line', () => {
    expect(known.map((one) => one.breaking)).toEqual([false, true, false]);
  });

  it('are pending when they are not there or were interrupted', () => {
    expect(pendingMigrations(known, applied(1)).map((one) => one.number)).toEqual([2, 3]);
    expect(pendingMigrations(known, applied(3))).toEqual([]);
    expect(pendingMigrations(known, [...applied(1), ...applied(2, { appliedAt: null }).slice(1)]).map((one) => one.number)).toEqual([2, 3]);
  });

  it('are refused when the database is ahead or a file was changed', () => {
    expect(() => pendingMigrations(known.slice(0, 2), applied(3))).toThrow(expect.objectContaining({ code: 'STATE_NEWER' }));
    expect(() => pendingMigrations(known, applied(2, { checksum: 'x' }))).toThrow(expect.objectContaining({ code: 'STATE_CHECKSUM' }));
  });

  it('need a complete installation', () => {
    const folder = mkdtempSync(join(tmpdir(), 'spl-sql-'));
    expect(() => readMigrations(folder, 'mysql')).toThrow(/incomplete/);
    mkdirSync(join(folder, 'mysql'));
    writeFileSync(join(folder, 'mysql/000000_a.sql'), '');
    writeFileSync(join(folder, 'mysql/000002_b.sql'), '');
    expect(() => readMigrations(folder, 'mysql')).toThrow(/numbered/);
    rmSync(folder, { recursive: true });
  });
});

describe('location', () => {
  it('puts the own tables beside those of StreamPark', () => {
    expect(locate('mysql://u:p%40@h:3306/streampark?ssl=true', 'own')).toEqual({
      server: 'mysql://u:p%40@h:3306/?ssl=true',
      tables: 'mysql://u:p%40@h:3306/own?ssl=true',
    });
    expect(locate('postgres://h/streampark', 'own')).toEqual({ server: 'postgres://h/streampark', tables: 'postgres://h/streampark' });
  });

  it.each(['', 'a b', 'a;drop', 'A', '1a', 'a`b', 'x'.repeat(64)])('takes no schema named %j', (schema) => {
    expect(() => locate('mysql://h/x', schema)).toThrow(TypeError);
  });
});
