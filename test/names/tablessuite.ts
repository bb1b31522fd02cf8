// Patterns of CDC sources, looked up in a real database: what matches, what the user may not see, and what stands in the way.
import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { distill, type Identification } from '../../src/identity/identity.ts';
import { createNames, type NamesSettings, probeNames } from '../../src/names/names.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { createTestDatabase, onServer, requireServer, type TestDatabase, type TestFamily } from '../support/databases.ts';

type Options = Record<string, string>;

const factsOf = (options: Options) =>
  distill({
    facts: { path: ['c', 'd', 't'], temporary: false, options, columns: [], primaryKey: [], partitionKeys: [] },
    catalog: null,
  });

/** Settings with these connections, as a settings file would give them. */
export const settingsFor = (connections: readonly object[], expandPatterns = true): NamesSettings =>
  readSettings(JSON.stringify({ identity: { expandPatterns, connections } }), {}).identity;

export interface Asked {
  readonly found: Identification;
  readonly troubles: readonly string[];
}

/** Names one table through a namer of its own. */
export async function ask(settings: NamesSettings, options: Options): Promise<Asked> {
  const troubles: string[] = [];
  const names = createNames(settings, {
    now: Date.now,
    notify: (_, subject, problem) => void (problem === undefined || troubles.push(`${subject}: ${problem}`)),
  });
  try {
    return { found: await names.table(factsOf(options)), troubles };
  } finally {
    await names.close();
  }
}

export const shown = ({ found }: Asked): string[] =>
  'reason' in found ? [`${found.reason}: ${found.message}`] : found.datasets.map(({ namespace, name }) => `${namespace} ${name}`);

interface Place {
  readonly connector: string;
  readonly namespace: string;
  readonly url: string;
  readonly port: string;
  readonly extra: Options;
}

const places: Readonly<Record<TestFamily, Place>> = {
  mysql: { connector: 'mysql-cdc', namespace: 'mysql://127.0.0.1:3306', url: 'mysql://root@127.0.0.1:3306', port: '3306', extra: {} },
  postgres: {
    connector: 'postgres-cdc',
    namespace: 'postgres://127.0.0.1:5432',
    url: 'postgres://postgres@127.0.0.1',
    port: '5432',
    extra: { 'schema-name': 'public' },
  },
};

export async function tablesSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  const { connector, namespace, url, port, extra } = places[family];

  suite(`tables behind a pattern, ${family}`, () => {
    let database: TestDatabase;
    let folder: string;
    const user = `spl_names_${randomBytes(3).toString('hex')}`;
    const within = (statement: string) => onDatabase(family, database, statement);
    const inside = family === 'mysql' ? '' : 'public.';
    const cdc = (table: string, more: Options = {}) => ({
      connector,
      hostname: '127.0.0.1',
      port,
      'database-name': database.name,
      ...extra,
      'table-name': table,
      ...more,
    });
    const named = (...tables: string[]) => tables.map((table) => `${namespace} ${database.name}.${inside}${table}`);

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'spl-names-'));
      database = await createTestDatabase(family);
      for (const table of ['orders_1', 'orders_2', 'orders_10', 'orders_old', 'items'])
        await within(`create table ${table} (id int primary key)`);
      await within('create view orders_3 as select * from items');
      if (family === 'mysql') {
        await onServer(family, `create user ${user}@'127.0.0.1' identified by 'It''s: @/?#'`);
        await onServer(family, `grant select on ${database.name}.orders_1 to ${user}@'127.0.0.1'`);
      } else {
        await onServer(family, `create role ${user} login password 'It''s: @/?#'`);
        await within(`grant select on orders_1 to ${user}`);
        await within('create schema sales');
        await within('create table sales.orders_7 (id int)');
      }
    });
    afterAll(async () => {
      await database.drop();
      await onServer(family, family === 'mysql' ? `drop user if exists ${user}@'127.0.0.1'` : `drop role if exists ${user}`);
      await rm(folder, { recursive: true, force: true });
    });

    const settings = settingsFor([{ url }]);

    it('are all tables that it matches as a whole, whatever their case, and no views', async () => {
      expect(shown(await ask(settings, cdc('orders_[0-9]+')))).toEqual(named('orders_1', 'orders_10', 'orders_2'));
      // An alternative is one of the whole `database.table`, as the connector reads it: `items` alone is no table's full name.
      expect(shown(await ask(settings, cdc('ORDERS_\\d|items')))).toEqual(named('orders_1', 'orders_2'));
    });

    it('are those of every expression of a list', async () => {
      const list = family === 'mysql' ? `orders_1,${database.name}\\.items` : 'orders_1,public\\.items';
      expect(shown(await ask(settings, cdc(list)))).toEqual(named('items', 'orders_1'));
    });

    it('are inputs side by side, each with its symlinks', async () => {
      const { found } = await ask(settings, cdc('orders_[12]'));
      const links = 'datasets' in found ? found.datasets.flatMap(({ symlinks }) => symlinks.map(({ name }) => name)) : [];
      expect(links).toEqual(family === 'mysql' ? [] : [`${database.name}.orders_1`, `${database.name}.orders_2`]);
    });

    it('of a name without metacharacters are not asked for', async () => {
      expect(await ask(settingsFor([{ url: url.replace(/:\d+$/, '').replace('127.0.0.1', '127.0.0.1:1') }]), cdc('nowhere'))).toMatchObject(
        {
          found: { datasets: [{ name: `${database.name}.${inside}nowhere` }] },
          troubles: [],
        },
      );
    });

    it('are those that the user may see; the password may stand in a file', async () => {
      const passwordFile = join(folder, 'password');
      writeFileSync(passwordFile, "It's: @/?#\n");
      const limited = settingsFor([{ url: url.replace(/\/\/\w+@/, `//${user}@`), passwordFile }]);
      expect(shown(await ask(limited, cdc('orders_.*')))).toEqual(named('orders_1'));
    });

    it('are left out where nothing matches, nothing is configured, nothing is allowed or nobody answers', async () => {
      const pattern = "option 'table-name' is a pattern: zzz.*";
      expect(shown(await ask(settings, cdc('zzz.*')))).toEqual([`PATTERN_UNRESOLVED: ${pattern} (nothing there matches)`]);
      expect(shown(await ask(settingsFor([]), cdc('zzz.*')))).toEqual([
        `PATTERN_UNRESOLVED: ${pattern} (identity.connections has none for ${namespace})`,
      ]);
      expect(shown(await ask(settingsFor([{ url }], false), cdc('zzz.*')))).toEqual([`PATTERN_UNRESOLVED: ${pattern}`]);
      const refused = await ask(settingsFor([{ url: `${family}://root:Geheim@127.0.0.1:1`, namespace }]), cdc('zzz.*'));
      expect(shown(refused)).toEqual([`PATTERN_UNRESOLVED: ${pattern} (the look-up failed: ECONNREFUSED)`]);
      expect(refused.troubles).toEqual([`${namespace}: the look-up failed: ECONNREFUSED`]);
      const wrong = await ask(settingsFor([{ url: url.replace(/\/\/\w+@/, '//nobody_here:Geheim@') }]), cdc('zzz.*'));
      expect(JSON.stringify(wrong)).not.toContain('Geheim');
      expect(wrong.troubles).toEqual([`${namespace}: the look-up failed: ${family === 'mysql' ? 'ER_ACCESS_DENIED_ERROR' : '28000'}`]);
    });

    it('have servers that `check` asks', async () => {
      const [good, bad] = await probeNames(settingsFor([{ url }, { url: `${family}://root:Geheim@127.0.0.1:1` }]), Date.now);
      expect(good).toMatchObject({ subject: namespace, problem: undefined, count: expect.any(Number) });
      expect(bad).toEqual({ subject: `${family}://127.0.0.1:1`, count: undefined, problem: 'the look-up failed: ECONNREFUSED' });
      expect(await probeNames(settingsFor([{ url }], false), Date.now)).toEqual([]);
    });

    it('are left out where the expression cannot be followed or takes too long', async () => {
      expect(shown(await ask(settings, cdc('orders_\\p{Nd}')))[0]).toContain('(this program cannot follow the expression)');
      await within(`create table ${'a'.repeat(40)} (id int)`);
      expect(shown(await ask(settings, cdc('(a+)+b')))[0]).toContain('(the expression takes too long)');
    });
  });
}

async function onDatabase(family: TestFamily, { name, url }: TestDatabase, statement: string): Promise<void> {
  if (family === 'mysql')
    return onServer(
      family,
      statement.replace(/(table|view|from) (\w+)/g, (_, word, table) => `${word} ${name}.${table}`),
    );
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
