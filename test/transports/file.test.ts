// The file and console transports on a real folder and real streams.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { createTransport } from '../../src/transports/transports.ts';
import { destinationOf } from '../support/destination.ts';

const folder = mkdtempSync(join(tmpdir(), 'spl-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
const signal = new AbortController().signal;
const to = (path: string, more = {}) =>
  createTransport(destinationOf({ type: 'file', path, ...more }), { version: 'x', output: process.stdout });

describe('file transport', () => {
  it('makes the folder and appends one line per event', async () => {
    const path = join(folder, 'a/b/events.ndjson');
    const transport = to(path);
    expect(await transport.send('{\n "n": 1\n}', signal)).toEqual({ kind: 'sent' });
    await Promise.all(Array.from({ length: 50 }, (_, n) => transport.send(`{"n":${n + 2}}`, signal)));
    await transport.close();
    const again = to(path);
    await again.send('{"n":52}', signal);
    await again.close();
    const numbers = readFileSync(path, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n: number }).n);
    expect(numbers).toEqual(Array.from({ length: 52 }, (_, n) => n + 1));
  });

  it.runIf(process.platform === 'linux')('says that a folder cannot be made where none can be', async () => {
    const transport = to('/proc/no-such/place/events.ndjson');
    expect(await transport.send('{}', signal)).toMatchObject({ kind: 'paused', reason: 'the file cannot be written (ENOENT)' });
    await transport.close();
  });

  it('begins a new line after one that a crash cut off', async () => {
    const path = join(folder, 'cut.ndjson');
    writeFileSync(path, '{"n":1}\n{"n":');
    const transport = to(path);
    await transport.send('{"n":2}', signal);
    await transport.close();
    expect(readFileSync(path, 'utf8')).toBe('{"n":1}\n{"n":\n{"n":2}\n');
  });

  it('goes on where another program truncated the file', async () => {
    const path = join(folder, 'rotated.ndjson');
    const transport = to(path);
    await transport.send('{"n":1}', signal);
    truncateSync(path);
    await transport.send('{"n":2}', signal);
    await transport.close();
    expect(readFileSync(path, 'utf8')).toBe('{"n":2}\n');
  });

  it('rotates by size, keeps as many files as told, and splits no line', async () => {
    const path = join(folder, 'rotating/events.ndjson');
    const line = (n: number) => `{"n":${n},"fill":"${'x'.repeat(480)}"}`;
    for (const fsync of ['event', 'none']) {
      rmSync(dirname(path), { recursive: true, force: true });
      const transport = to(path, { rotateAt: '1KiB', keep: 2, fsync });
      const results = await Promise.all(Array.from({ length: 9 }, (_, n) => transport.send(line(n), signal)));
      expect(results.every(({ kind }) => kind === 'sent')).toBe(true);
      await transport.close();
      const numbers = (file: string) =>
        readFileSync(file, 'utf8')
          .trimEnd()
          .split('\n')
          .map((text) => (JSON.parse(text) as { n: number }).n);
      expect(readdirSync(dirname(path)).sort()).toEqual(['events.ndjson', 'events.ndjson.1', 'events.ndjson.2']);
      expect([`${path}.2`, `${path}.1`, path].map(numbers)).toEqual([[4, 5], [6, 7], [8]]);
      const again = to(path, { rotateAt: '1KiB', keep: 1, fsync });
      await again.send(line(9), signal);
      await again.send(line(10).padEnd(3_000), signal);
      await again.send(line(11), signal);
      await again.close();
      expect([`${path}.1`, path].map(numbers)).toEqual([[10], [11]]);
    }
  });

  it('pauses when it may not write, and works once it may', async () => {
    const path = join(folder, 'taken');
    mkdirSync(path);
    const transport = to(path);
    expect(await transport.send('{}', signal)).toMatchObject({ kind: 'paused', reason: expect.stringContaining('EISDIR') });
    expect(await transport.probe(signal)).toMatchObject({ ok: false });
    rmSync(path, { recursive: true });
    expect(await transport.probe(signal)).toMatchObject({ ok: true });
    expect(await transport.send('{}', signal)).toEqual({ kind: 'sent' });
    await transport.close();
    chmodSync(path, 0o600);
    expect(readFileSync(path, 'utf8')).toBe('{}\n');
    expect(await to(join(path, 'below/x')).send('{}', signal)).toMatchObject({ kind: 'paused' });
  });

  it('answers later when the disk is full', async () => {
    const transport = to('/dev/full');
    expect(await transport.send('{}', signal)).toMatchObject({ kind: 'later', reason: expect.stringContaining('ENOSPC') });
    await transport.close();
  });
});

describe('console transport', () => {
  it('writes one line per event, and pauses when nobody reads any more', async () => {
    const output = new PassThrough();
    const transport = createTransport(destinationOf({ type: 'console' }), { version: 'x', output });
    expect(await transport.send('{"a":\n1}', signal)).toEqual({ kind: 'sent' });
    expect(output.read()?.toString()).toBe('{"a": 1}\n');
    output.on('error', () => undefined);
    output.destroy();
    expect(await transport.send('{}', signal)).toMatchObject({ kind: 'paused' });
  });
});
