// A user's module, from real files, in its real thread: what it may export, and what it costs when it goes wrong.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Extension, type ExtensionCall, openExtension } from '../../src/extension/extension.ts';
import { readSettings } from '../../src/settings/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'spl-extension-'));
afterAll(() => rmSync(folder, { recursive: true }));
let files = 0;
let open: Extension | undefined;
afterEach(async () => {
  await open?.close();
  open = undefined;
});

async function opened(source: string | undefined, more = '') {
  const module = join(folder, `m${files++}.mjs`);
  if (source !== undefined) writeFileSync(module, source);
  const calls: ExtensionCall[] = [];
  const settings = readSettings(`extensions: {module: ${module}, timeout: 300ms}\n${more}`, {});
  open = await openExtension(settings, (call) => calls.push(call));
  if (open === undefined) throw new Error('nothing was opened');
  return { extension: open, calls };
}

const table = { options: { topic: 'a' }, path: ['c', 'd', 't'], connector: 'q' } as const;
const change = {
  engine: 'flink',
  application: { id: '1', team: 'shop', owner: null },
  run: { id: 'r', attempt: 1, startedAt: '2026-01-01T00:00:00.000Z', previousRunId: null },
  job: { namespace: 'n', name: 'j' },
  processing: 'STREAMING',
  sql: null,
  output: null,
  inputs: [],
} as const;
const connector = (body: string) => `export const connectors = [{ names: ['q'], options: ['topic'], identify: ${body} }];`;

describe('a module', () => {
  it('is not needed', async () => {
    expect(await openExtension(readSettings(undefined, {}), () => undefined)).toBeUndefined();
  });

  it.each([
    [undefined, 'cannot be loaded (ERR_MODULE_NOT_FOUND)'],
    ['export const = 1', 'cannot be loaded (SyntaxError)'],
    ["throw new RangeError('hunter2')", 'cannot be loaded (RangeError)'],
    ['process.exit(3)', 'cannot be loaded (its thread ended)'],
    ['export const conectors = [];', 'conectors is not known'],
    ['export const mapName = 1;', 'mapName: '],
    ['export const connectors = [{ names: [], options: [], identify() {} }];', 'connectors.0.names: '],
    ["export const connectors = [{ names: ['q'], options: [] }];", 'connectors.0.identify: '],
    [
      "const identify = () => null; export const connectors = ['q', 'q'].map((n) => ({ names: [n], options: [], identify }));",
      'two connectors are named q',
    ],
    ["export const facets = { 'no spaces': () => null };", 'facets.no spaces: '],
  ])('is refused at start when it is wrong: %s', async (source, message) => {
    const failure = await opened(source).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'EXTENSION_INVALID', message: expect.stringContaining(message) });
    expect(String((failure as Error).message)).not.toContain('hunter2');
  });

  it('is refused when a destination needs a transport that it does not export, or is not there at all', async () => {
    const destinations = 'destinations: [{name: d, type: extension}]';
    await expect(opened('export {};', destinations)).rejects.toMatchObject({
      code: 'EXTENSION_INVALID',
      message: expect.stringContaining('exports no transport'),
    });
    await expect(openExtension(readSettings(destinations, {}), () => undefined)).rejects.toMatchObject({
      code: 'EXTENSION_INVALID',
      message: expect.stringContaining('extensions.module is not set'),
    });
  });
});

describe('a call', () => {
  it('answers, is timed and counted', async () => {
    const { extension, calls } = await opened(connector("async ({ options }) => ({ namespace: 'acme://x', name: options.topic })"));
    expect(await extension.identify(table)).toEqual({ value: [{ namespace: 'acme://x', name: 'a', symlinks: [] }] });
    expect(calls).toEqual([{ part: 'connector', of: 'q', result: 'ok', seconds: expect.any(Number) }]);
  });

  it.each([
    ["() => { throw new TypeError('hunter2'); }", 'threw', 'it threw TypeError'],
    ['() => new Promise(() => undefined)', 'late', 'no answer within 0.3 s'],
    ['() => { for (;;); }', 'late', 'no answer within 0.3 s'],
    ["() => ({ namespace: '', name: 'x' })", 'wrong', 'its answer is not valid: '],
    ['() => undefined', 'wrong', 'its answer is not valid: '],
    ['() => (() => 1)', 'threw', 'it threw DataCloneError'],
    ['() => { process.exit(1); }', 'late', 'no answer within 0.3 s'],
  ])('that goes wrong costs itself alone: %s', async (body, result, problem) => {
    const { extension, calls } = await opened(`${connector(body)} export const mapName = () => ({ name: 'mapped' });`);
    expect(await extension.identify(table)).toEqual({ problem: expect.stringContaining(problem) });
    expect(calls).toMatchObject([{ result, problem: expect.stringContaining(problem) }]);
    expect(calls[0]?.problem).not.toContain('hunter2');
    expect(await extension.mapName({ namespace: 'n', name: 'x' }, { path: table.path, connector: null })).toEqual({
      value: { namespace: 'n', name: 'mapped' },
    });
  });

  it('keeps the facets of the builders that work', async () => {
    const { extension, calls } = await opened(`
      export const facets = {
        good: ({ application }) => ({ job: { acme_team: { team: application.team } } }),
        none: () => null,
        throws: () => { throw new Error('x'); },
        taken: () => ({ run: { streampark_app: {} } }),
        unprefixed: () => ({ job: { sql: {} } }),
        large: () => ({ job: { acme_large: { text: 'x'.repeat(40_000) } } }),
        noJson: () => ({ job: { acme_big: { n: 1n } } }),
        unknown: () => ({ jobs: {} }),
      };`);
    expect(await extension.facetsOf(change)).toEqual([{ job: { acme_team: { team: 'shop' } } }]);
    expect(Object.fromEntries(calls.map(({ of, result }) => [of, result]))).toEqual({
      good: 'ok',
      none: 'ok',
      throws: 'threw',
      taken: 'wrong',
      unprefixed: 'wrong',
      large: 'wrong',
      noJson: 'wrong',
      unknown: 'wrong',
    });
  });

  it('of the transformer changes, drops, or fails by itself', async () => {
    const { extension } = await opened(`export const transform = (event, { destination }) => {
      if (event.n === 1) return null;
      if (event.n === 2) return 'text';
      return { ...event, destination };
    };`);
    expect(await extension.transform({ n: 0 }, 'd')).toEqual({ value: { n: 0, destination: 'd' } });
    expect(await extension.transform({ n: 1 }, 'd')).toEqual({ value: null });
    expect(await extension.transform({ n: 2 }, 'd')).toHaveProperty('problem');
  });

  it('of a transport uses one instance per destination, made anew after it could not be made', async () => {
    const { extension } = await opened(`
      let made = 0;
      export const transport = ({ fail }, { destination }) => {
        made += 1;
        if (fail && made === 1) throw new Error('not yet');
        const mine = made;
        let sent = 0;
        return { send: () => ({ kind: 'never', reason: destination + mine + '/' + ++sent }) };
      };`);
    const send = (name: string, options = {}) => extension.send({}, name, options, 300);
    expect(await send('a', { fail: true })).toHaveProperty('problem', 'it threw Error');
    expect(await send('a', { fail: true })).toEqual({ value: { kind: 'never', reason: 'a2/1' } });
    expect(await send('a', { fail: true })).toEqual({ value: { kind: 'never', reason: 'a2/2' } });
    expect(await send('b')).toEqual({ value: { kind: 'never', reason: 'b3/1' } });
    await extension.closeTransport('b', {});
    expect(await send('b')).toEqual({ value: { kind: 'never', reason: 'b4/1' } });
  });
});
