// Warehouses on the disk of this machine.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCatalog } from '../../src/catalogs/open.ts';
import { Unreadable } from '../../src/catalogs/table.ts';
import type { TablePath } from '../../src/plan/plan.ts';
import { icebergOrders, paimonUsers } from '../support/catalog-server.ts';

let warehouse: string;
const put = (path: string, content: string | Buffer) => {
  mkdirSync(dirname(join(warehouse, path)), { recursive: true });
  writeFileSync(join(warehouse, path), content);
};
const metadata = (column: string) =>
  JSON.stringify({ location: `s3://b/${column}`, schema: { fields: [{ id: 1, name: column, type: 'long' }] } });
beforeAll(() => {
  warehouse = mkdtempSync(join(tmpdir(), 'warehouse-'));
  put('ods/orders/metadata/v9.metadata.json', metadata('old'));
  put('ods/orders/metadata/v10.metadata.json', metadata('new'));
  put('ods/orders/metadata/version-hint.text', '10');
  put('ods/packed/metadata/v3.gz.metadata.json', gzipSync(metadata('packed')));
  put('ods.db/hived/metadata/00001-aa.metadata.json', metadata('old'));
  put('ods.db/hived/metadata/00002-bb.metadata.json', JSON.stringify(icebergOrders.metadata));
  put('ods/broken/metadata/v1.metadata.json', '{"location"');
  put('ods/bomb/metadata/v1.gz.metadata.json', gzipSync(Buffer.alloc(32 * 1024 * 1024)));
  put('ods/empty/metadata/notes.txt', '');
  put('dim.db/users/schema/schema-0', JSON.stringify({ fields: [{ id: 0, name: 'old', type: 'INT' }] }));
  put('dim.db/users/schema/schema-11', JSON.stringify({ id: 11, highestFieldId: 9, ...paimonUsers.schema }));
  put('dim.db/users/schema/schema-2', JSON.stringify({ fields: [{ id: 0, name: 'older', type: 'INT' }] }));
});
afterAll(() => rmSync(warehouse, { recursive: true }));

const common = { catalog: 'lake', team: undefined, timeout: 5_000, maxAge: 1_000, warehouse: undefined };
async function columns(type: 'iceberg-files' | 'paimon-files', database: string, table: string, path = warehouse): Promise<unknown> {
  const reader = openCatalog({ ...common, type, path }, undefined);
  try {
    const found = await reader.read(['lake', database, table] satisfies TablePath, AbortSignal.timeout(5_000));
    return found === undefined ? 'absent' : found.columns.map(({ name }) => name).join(' ');
  } catch (error) {
    return error instanceof Unreadable ? `${error.concerns}: ${error.message}` : error;
  }
}

describe('an Iceberg warehouse', () => {
  it.each([
    ['orders', 'new'],
    ['packed', 'packed'],
    ['hived', 'id amount dt address attrs'],
    ['empty', 'absent'],
    ['nosuch', 'absent'],
    ['broken', 'table: the file is no JSON that can be read (SyntaxError)'],
    ['bomb', 'table: the file is no JSON that can be read (ERR_BUFFER_TOO_LARGE)'],
    ['..', 'table: the name is none of a folder'],
    ['a/b', 'table: the name is none of a folder'],
  ])('tells the newest metadata of %s', async (table, expected) => {
    expect(await columns('iceberg-files', 'ods', table)).toBe(expected);
  });

  it('that is not there is no warehouse without tables', async () => {
    expect(await columns('iceberg-files', 'ods', 'orders', `${warehouse}/gone`)).toBe('catalog: the folder cannot be read (ENOENT)');
  });
});

describe('a Paimon warehouse', () => {
  it.each([
    ['dim', 'users', 'id name seen tags home counts'],
    ['dim', 'users$branch_b', 'id name seen tags home counts'],
    ['dim', 'nosuch', 'absent'],
    ['..', 'users', 'absent'],
  ])('tells the newest schema of %s.%s', async (database, table, expected) => {
    expect(await columns('paimon-files', database, table)).toBe(database === '..' ? 'table: the name is none of a folder' : expected);
  });
});
