// The command on real files: exit codes, forms of output, long lines, and a stream much larger than its memory.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, describe, expect, it } from 'vitest';
import { validateCommand } from '../../src/cli/validate.ts';
import { checkStream, createChecker } from '../../src/validation/validation.ts';
import { repositoryRoot, sharedDir } from '../support/shared.ts';
import { corpusEvents, corpusFiles } from './corpus.ts';

const folder = mkdtempSync(join(tmpdir(), 'spl-validate-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run(file: string, options: Partial<Parameters<typeof validateCommand>[1]> = {}) {
  const chunks: string[] = [];
  const output = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk));
      done();
    },
  });
  const code = await validateCommand(file, { strict: false, json: false, ...options }, output);
  return { code, lines: chunks.join('').trimEnd().split('\n') };
}
const file = (name: string, text: string | Buffer): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const [event] = corpusEvents();
const broken = { ...event, eventType: 'FINISHED', eventTime: 'yesterday' };

describe('validate', () => {
  it.each(corpusFiles())('is content with %s', async (path) => {
    const { code, lines } = await run(path);
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatch(/^\d+ events of \d+ runs \(\d+ not ended\): 0 errors, \d+ warnings$/);
  });

  it('names line, rule and path, and fails', async () => {
    const path = file('broken.ndjson', `\uFEFF${JSON.stringify(event)}\r\n\n${JSON.stringify(broken)}\nnonsense\n`);
    const { code, lines } = await run(path);
    expect(code).toBe(1);
    expect(lines).toEqual(
      expect.arrayContaining([
        'line 3: error schema /eventTime: must match format "date-time"',
        expect.stringMatching(/^line 3: error schema \/eventType: must be equal to one of the allowed values/),
        expect.stringMatching(/^line 4: error json no JSON/),
      ]),
    );
    expect(lines.at(-1)).toMatch(/^3 events of 1 runs \(1 not ended\): 3 errors/);
    const json = await run(path, { json: true });
    expect(json.code).toBe(1);
    const objects = json.lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(objects[0]).toMatchObject({
      line: 3,
      rule: 'schema',
      level: 'error',
      path: expect.stringMatching(/^\/event/),
      message: expect.any(String),
    });
    expect(objects.at(-1)).toMatchObject({ valid: false, events: 3, errors: 3, runs: 1, open: 1 });
  });

  it('takes warnings for errors when told, and looks at the consumers it is told', async () => {
    const unknown = file('unknown.ndjson', JSON.stringify({ ...event, inputs: [{ namespace: 'nosuch://h', name: 'n'.repeat(300) }] }));
    expect((await run(unknown)).code).toBe(0);
    expect((await run(unknown, { strict: true })).code).toBe(1);
    expect((await run(unknown, { consumer: ['gravitino'] })).lines.filter((line) => line.includes(' limit '))).toEqual([]);
    expect((await run(unknown, { consumer: ['marquez'] })).lines.filter((line) => line.includes('limit (marquez)'))).toHaveLength(1);
    await expect(run(unknown, { consumer: ['nobody'] })).rejects.toThrow('known are marquez');
  });

  it('says what cannot be read', async () => {
    await expect(run(join(folder, 'absent'))).rejects.toThrow(/cannot read .*ENOENT/);
    await expect(run(corpusFiles()[0] ?? '', { schemas: join(folder, 'none') })).rejects.toThrow(/cannot read .*ENOENT/);
    await expect(run(corpusFiles()[0] ?? '', { schemas: folder })).rejects.toThrow('OpenLineage.json is missing');
  });

  it("holds events against the specification's files by version", async (test) => {
    const shared = sharedDir();
    if (shared === undefined) return test.skip('../shared is missing');
    const schemas = join(shared, 'fixtures/openlineage-spec');
    for (const path of corpusFiles()) expect((await run(path, { schemas })).code, path).toBe(0);
    const old = { ...event, schemaURL: 'https://openlineage.io/spec/1-0-5/OpenLineage.json#/$defs/RunEvent' };
    expect((await run(file('old.ndjson', JSON.stringify(old)), { schemas })).code).toBe(0);
    expect((await run(file('b.ndjson', JSON.stringify(broken)), { schemas })).code).toBe(1);
  });

  it('reads from stdin in a process of its own', async () => {
    const child = spawn(process.execPath, ['--import', 'tsx', join(repositoryRoot, 'src/main.ts'), 'validate', '-', '--json'], {
      cwd: repositoryRoot,
    });
    let out = '';
    child.stdout.on('data', (chunk) => {
      out += String(chunk);
    });
    child.stdin.end(`${JSON.stringify(event)}\n${JSON.stringify(broken)}`);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(1);
    expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ valid: false, events: 2 });
  }, 60_000);
});

describe('streams', () => {
  const checker = () => createChecker(async () => [], []);
  const found = async (chunks: Iterable<Buffer>) => {
    const said: string[] = [];
    const source = (async function* () {
      yield* chunks;
    })();
    const report = await checkStream(source, checker(), (line, { message }) => void said.push(`${line} ${message}`));
    return { report, said };
  };

  it('finds the same lines however they are cut into chunks', async () => {
    const text = Buffer.from('\uFEFF{"a":"ü🦆"}\r\n\n  \nnull\n{"b":1}');
    const whole = await found([text]);
    expect(whole.said).toEqual(['4 not an object']);
    for (const size of [1, 2, 3, 7]) {
      const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.subarray(i * size, (i + 1) * size));
      expect(await found(pieces)).toEqual(whole);
    }
  });

  it('refuses what is no UTF-8, and goes on', async () => {
    expect((await found([Buffer.from([0x7b, 0xff, 0x7d, 0x0a]), Buffer.from('{}\n')])).said).toEqual(['1 not UTF-8']);
  });

  it('does not keep a line that never ends', async () => {
    function* endless() {
      for (let n = 0; n < 200; n++) yield Buffer.alloc(1024 * 1024, 'x');
      yield Buffer.from('\n{}\n');
    }
    const before = process.memoryUsage().rss;
    const { report, said } = await found(endless());
    expect(said).toEqual(['1 longer than 67108864 bytes']);
    expect(report.events).toBe(2);
    expect(process.memoryUsage().rss - before).toBeLessThan(180 * 1024 * 1024);
  });
});
