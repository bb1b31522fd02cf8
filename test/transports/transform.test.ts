// A user's module between the outbox and a destination, loaded from a real file.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createTransport } from '../../src/transports/transports.ts';
import { destinationOf } from '../support/destination.ts';
import { repositoryRoot } from '../support/shared.ts';

const folder = mkdtempSync(join(tmpdir(), 'spl-transform-'));
afterAll(() => rmSync(folder, { recursive: true }));
const signal = new AbortController().signal;
let files = 0;

function through(source: string | undefined, transform = join(folder, `t${files++}.mjs`)) {
  if (source !== undefined) writeFileSync(transform, source);
  const path = join(folder, `out${files}`);
  const transport = createTransport(destinationOf({ type: 'file', path, transform }), { version: 'x', output: process.stdout });
  return { transport, transform, lines: () => readFileSync(path, 'utf8').trimEnd().split('\n') };
}

describe('transform', () => {
  it('changes and drops events, also when it needs a while', async () => {
    const { transport, lines } = through(`
      export default async (event, { destination }) => {
        await new Promise((done) => setTimeout(done, 5));
        return event.n === 2 ? null : { ...event, to: destination };
      };`);
    expect(await transport.probe(signal)).toMatchObject({ ok: true });
    for (const n of [1, 2, 3]) expect(await transport.send(JSON.stringify({ n }), signal)).toEqual({ kind: 'sent' });
    expect(lines()).toEqual(['{"n":1,"to":"d"}', '{"n":3,"to":"d"}']);
    await transport.close();
  });

  it('costs the event that it fails on, without quoting it', async () => {
    const { transport, lines } = through(`
      export default (event) => {
        if (event.n === 1) throw new TypeError('hunter2');
        if (event.n === 2) return undefined;
        if (event.n === 3) return 'text';
        if (event.n === 4) return { loop: 1n };
        return event;
      };`);
    const results = await Promise.all([1, 2, 3, 4, 5].map((n) => transport.send(JSON.stringify({ n }), signal)));
    expect(results.map(({ kind }) => kind)).toEqual(['never', 'never', 'never', 'never', 'sent']);
    expect(results[0]).toEqual({ kind: 'never', reason: 'transform: threw TypeError' });
    expect(lines()).toEqual(['{"n":5}']);
    await transport.close();
  });

  it('pauses without a usable module, and goes on once it is there', async () => {
    const { transport, transform, lines } = through(undefined);
    expect(await transport.send('{}', signal)).toMatchObject({ kind: 'paused', reason: expect.stringContaining('cannot be loaded') });
    expect(await transport.probe(signal)).toMatchObject({ ok: false });
    writeFileSync(transform, 'export default (event) => event;');
    expect(await transport.send('{}', signal)).toEqual({ kind: 'sent' });
    expect(lines()).toEqual(['{}']);
    await transport.close();
    const { transport: other } = through('export const named = 1;');
    expect(await other.send('{}', signal)).toMatchObject({ kind: 'paused', reason: expect.stringContaining('no function') });
  });

  it('works as in the example', async () => {
    const { transport, lines } = through(undefined, join(repositoryRoot, 'examples/transform.mjs'));
    const event = (name: string) =>
      JSON.stringify({
        job: { namespace: 'streampark', name, facets: { sql: { query: 'select 1' }, ownership: {} } },
        inputs: [],
        outputs: [],
      });
    expect(await transport.send(event('scratch_1'), signal)).toEqual({ kind: 'sent' });
    expect(await transport.send(event('orders'), signal)).toEqual({ kind: 'sent' });
    expect(lines().map((line) => JSON.parse(line))).toEqual([
      { job: { namespace: 'streampark', name: 'orders', facets: { ownership: {} } }, inputs: [], outputs: [] },
    ]);
    await transport.close();
  });
});
