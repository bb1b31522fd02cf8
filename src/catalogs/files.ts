// Reads tables out of a warehouse that this machine can see: the newest metadata file of Iceberg, the newest schema file of
// Paimon. No data file is touched.
import { constants } from 'node:fs';
import { access, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { systemCode } from '../errors/errors.ts';
import type { TablePath } from '../plan/plan.ts';
import type { CatalogSettings } from '../settings/settings.ts';
import { icebergTable } from './iceberg.ts';
import { paimonTable, withoutSuffix } from './paimon.ts';
import { type CatalogReader, type CatalogTable, Unreadable } from './table.ts';

const maxBytes = 8 * 1024 * 1024;
const inflate = promisify(gunzip);

export function filesReader({ type, path }: Extract<CatalogSettings, { type: 'iceberg-files' | 'paimon-files' }>): CatalogReader {
  const read = type === 'iceberg-files' ? readIceberg : readPaimon;
  const present = async () => {
    try {
      await access(path, constants.R_OK | constants.X_OK);
    } catch (cause) {
      throw new Unreadable('catalog', `the folder cannot be read (${systemCode(cause)})`, { cause });
    }
  };
  return {
    async read(table) {
      await present();
      return read(path, table);
    },
    probe: present,
    close: () => undefined,
  };
}

async function readIceberg(warehouse: string, [, database, table]: TablePath): Promise<CatalogTable | undefined> {
  const levels = database.split('.');
  // Hadoop catalogs and Hive's layout.
  for (const folder of [join(warehouse, ...levels.map(safe), safe(table)), join(warehouse, `${safe(database)}.db`, safe(table))]) {
    const files = await filesIn(join(folder, 'metadata'));
    const newest = newestOf(files ?? [], /^v?(\d{1,12})(?:-[^/]*)?(?:\.gz)?\.metadata\.json(?:\.gz)?$/);
    if (newest !== undefined) return icebergTable(await jsonOf(join(folder, 'metadata', newest)));
  }
  return undefined;
}

async function readPaimon(warehouse: string, [, database, table]: TablePath): Promise<CatalogTable | undefined> {
  const folder = join(warehouse, `${safe(database)}.db`, safe(withoutSuffix(table)), 'schema');
  const newest = newestOf((await filesIn(folder)) ?? [], /^schema-(\d{1,12})$/);
  return newest === undefined ? undefined : paimonTable(await jsonOf(join(folder, newest)), undefined);
}

/** The file with the highest number. */
function newestOf(files: readonly string[], form: RegExp): string | undefined {
  const numbered = files.flatMap((file) => {
    const number = form.exec(file)?.[1];
    return number === undefined ? [] : [{ file, number: Number(number) }];
  });
  return numbered.sort((a, b) => b.number - a.number || (a.file < b.file ? 1 : -1))[0]?.file;
}

/** A name of a script as the name of one folder. */
function safe(name: string): string {
  if (name === '' || name === '.' || name === '..' || /[/\\\0]/.test(name)) throw new Unreadable('table', 'the name is none of a folder');
  return name;
}

/** Undefined where there is no such folder of a table. */
async function filesIn(folder: string): Promise<readonly string[] | undefined> {
  try {
    return await readdir(folder);
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Unreadable('table', `its folder cannot be read (${code})`, { cause });
  }
}

async function jsonOf(file: string): Promise<unknown> {
  try {
    if ((await stat(file)).size > maxBytes) throw new Unreadable('table', `the file is longer than ${maxBytes / 1024 / 1024} MiB`);
    const content = await readFile(file);
    const isPacked = content[0] === 0x1f && content[1] === 0x8b;
    return JSON.parse((isPacked ? await inflate(content, { maxOutputLength: maxBytes }) : content).toString('utf8')) as unknown;
  } catch (cause) {
    if (cause instanceof Unreadable) throw cause;
    throw new Unreadable('table', `the file is no JSON that can be read (${systemCode(cause)})`, { cause });
  }
}
