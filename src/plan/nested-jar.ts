// The planner of a Flink distribution lies inside its loader's jar, where no class path reaches it: it is taken out into a folder of this process.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { PlanError } from '../errors/errors.ts';

const endOfDirectory = Buffer.from('PK\x05\x06');
const directoryEntry = 0x02014b50;
const longestComment = 0xffff;
const stored = 0;
const deflated = 8;
/** A planner is some 40 MB. */
const largest = 256 * 1024 * 1024;

const taken = new Map<string, string>();
let folder: string | undefined;

/**
 * The path of a copy of `entry` of the jar at `path`, under the file name `as`; made once per process and file, removed when the process ends.
 * @throws PlanError PLANNER_UNAVAILABLE where the jar or the entry cannot be read
 */
export function nestedJar(path: string, entry: string, as: string): string {
  try {
    const { mtimeMs, size } = statSync(path);
    const key = `${path} ${mtimeMs} ${size}`;
    const known = taken.get(key);
    if (known !== undefined) return known;
    const content = read(readFileSync(path), entry);
    if (folder === undefined) {
      const made = mkdtempSync(join(tmpdir(), 'streampark-lineage-'));
      folder = made;
      process.once('exit', () => rmSync(made, { recursive: true, force: true }));
    }
    const copy = join(mkdtempSync(join(folder, 'jar-')), as);
    writeFileSync(copy, content, { mode: 0o600 });
    taken.set(key, copy);
    return copy;
  } catch (cause) {
    throw new PlanError('PLANNER_UNAVAILABLE', `${basename(path)} does not give its ${entry}: ${(cause as Error).message}`, { cause });
  }
}

/** One entry of a ZIP file without the 64-bit extension (APPNOTE 4.3). */
function read(zip: Buffer, entry: string): Buffer {
  const end = zip.lastIndexOf(endOfDirectory);
  if (end < 0 || end < zip.length - longestComment - 22) throw new Error('it is no ZIP file');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== directoryEntry) throw new Error('its directory is damaged');
    const [name, extra, comment] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset)) as [number, number, number];
    if (zip.toString('utf8', at + 46, at + 46 + name) === entry) return content(zip, at);
    at += 46 + name + extra + comment;
  }
  throw new Error('there is none');
}

function content(zip: Buffer, at: number): Buffer {
  const method = zip.readUInt16LE(at + 10);
  const [packed, size, header] = [20, 24, 42].map((offset) => zip.readUInt32LE(at + offset)) as [number, number, number];
  if (size > largest) throw new Error(`its ${size} bytes are too many`);
  const start = header + 30 + zip.readUInt16LE(header + 26) + zip.readUInt16LE(header + 28);
  const bytes = zip.subarray(start, start + packed);
  if (method === stored) return bytes;
  if (method !== deflated) throw new Error(`its compression ${method} is not known`);
  return inflateRawSync(bytes, { maxOutputLength: largest });
}
