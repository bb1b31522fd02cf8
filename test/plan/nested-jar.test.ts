import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { deflateRawSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { nestedJar } from '../../src/plan/nested-jar.ts';

const folder = mkdtempSync(join(tmpdir(), 'spl-nested-'));
afterAll(() => rmSync(folder, { recursive: true }));

interface Entry {
  readonly name: string;
  readonly content: string;
  readonly method: number;
}

/** A ZIP file by APPNOTE 4.3: local headers with an extra field, the directory, its end with a comment. Checksums are left out. */
function zip(name: string, entries: readonly Entry[], comment = ''): string {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name: entry, content, method } of entries) {
    const bytes = method === 8 ? deflateRawSync(content) : Buffer.from(content);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(entry.length, 26);
    local.writeUInt16LE(4, 28);
    locals.push(local, Buffer.from(entry), Buffer.alloc(4), bytes);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(bytes.length, 20);
    central.writeUInt32LE(content.length, 24);
    central.writeUInt16LE(entry.length, 28);
    central.writeUInt32LE(offset, 42);
    directory.push(central, Buffer.from(entry));
    offset += 34 + entry.length + bytes.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(offset, 16);
  end.writeUInt16LE(comment.length, 20);
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat([...locals, ...directory, end, Buffer.from(comment)]));
  return path;
}

const others: Entry[] = [
  { name: 'META-INF/MANIFEST.MF', content: 'Manifest-Version: 1.0', method: 8 },
  { name: 'a.class', content: 'class', method: 0 },
];

describe('a jar inside a jar', () => {
  it.each([
    ['deflated', 8],
    ['stored', 0],
  ])('is taken out, %s', (how, method) => {
    const path = zip(`${how}.jar`, [...others, { name: 'inner.jar', content: 'x'.repeat(10_000), method }], 'with a comment');
    const copy = nestedJar(path, 'inner.jar', 'planner-1.17.2.jar');
    expect(basename(copy)).toBe('planner-1.17.2.jar');
    expect(readFileSync(copy, 'utf8')).toBe('x'.repeat(10_000));
    expect(nestedJar(path, 'inner.jar', 'planner-1.17.2.jar')).toBe(copy);
  });

  it.each([
    ['is not there', zip('without.jar', others), 'there is none'],
    ['is compressed in another way', zip('lzma.jar', [{ name: 'inner.jar', content: 'x', method: 14 }]), 'its compression 14 is not known'],
    ['is in no file', join(folder, 'nowhere.jar'), 'ENOENT'],
  ])('%s: that is said', (_, path, reason) => {
    expect(() => nestedJar(path, 'inner.jar', 'p.jar')).toThrow(
      expect.objectContaining({ code: 'PLANNER_UNAVAILABLE', message: expect.stringContaining(reason) }),
    );
  });

  it('is damaged: that is said, whichever byte it is', () => {
    const sound = readFileSync(zip('sound.jar', [...others, { name: 'inner.jar', content: 'abc'.repeat(100), method: 8 }]));
    for (let at = 0; at < sound.length; at += 1) {
      const broken = Buffer.from(sound);
      broken[at] = (broken[at] ?? 0) ^ 0xff;
      const path = join(folder, `broken-${at}.jar`);
      writeFileSync(path, broken);
      try {
        nestedJar(path, 'inner.jar', 'p.jar');
      } catch (error) {
        expect(error).toMatchObject({ code: 'PLANNER_UNAVAILABLE' });
      }
    }
  });
});
