// An extension through the whole daemon: its name, its facets and its transformer are in the events, and what fails in it costs only that.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { extensionFor } from '../../src/cli/extension.ts';
import { createLog, createMetrics } from '../../src/ops/ops.ts';
import type { Planner } from '../../src/plan/plan.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { warmPlanner } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { jobId } from '../support/smallconsole.ts';
import { coded, inScene } from './scene.ts';

const suite = await requireServer('postgres');

const module = `
export const connectors = [{
  names: ['acme-queue'],
  options: ['queue'],
  identify({ options }) {
    if (options.queue === 'broken') throw new Error('x');
    return { namespace: 'acme://eu', name: options.queue };
  },
}];
export const facets = {
  costs: ({ job, output }) => ({ job: { acme_costs: { centre: '4711', of: job.name } }, ...(output && { output: { acme_rank: { columns: output.columns.length } } }) }),
  broken: () => { throw new TypeError('x'); },
};
export const mapName = ({ name }) => (name === 'staging' ? { name: 'orders' } : {});
export const transform = (event) => (event.job.name === 'shop.secret' ? null : { ...event, job: { ...event.job, facets: { ...event.job.facets, sql: undefined } } });
`;
const script = `CREATE TABLE orders (id BIGINT, v STRING) WITH ('connector' = 'acme-queue', 'queue' = 'staging', 'password' = 'Geheim');
CREATE TABLE lost (id BIGINT) WITH ('connector' = 'acme-queue', 'queue' = 'broken');
CREATE TABLE copy (id BIGINT, v STRING) WITH ('connector' = 'kafka', 'topic' = 'copy', 'properties.bootstrap.servers' = 'k:9092', 'format' = 'json');
CREATE TABLE secret (id BIGINT) WITH ('connector' = 'kafka', 'topic' = 'secret', 'properties.bootstrap.servers' = 'k:9092', 'format' = 'json');
INSERT INTO copy SELECT id, v FROM orders;
INSERT INTO secret SELECT o.id FROM orders AS o JOIN lost ON o.id = lost.id;`;

suite('an extension', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spl-extension-'));
  let planner: Planner;
  beforeAll(async () => {
    planner = await warmPlanner();
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
    await planner?.stop();
  });

  it('takes part in names, facets and sending', async () => {
    const path = join(folder, 'extension.mjs');
    writeFileSync(path, module);
    const lines: string[] = [];
    const metrics = createMetrics();
    const log = createLog('warn', { write: (line: string) => void lines.push(line) });
    const extension = await extensionFor(readSettings(`extensions: {module: ${path}}`, {}), { log, metrics });
    await inScene({ family: 'postgres', planner, extension }, async ({ console, receiver, poll, daemon }) => {
      await console.app({ id: 1, name: 'shop', script });
      await console.run(1, jobId(1));
      await poll(60_000);
      const jobs = [...new Set(receiver.events.map(({ job }) => job.name))];
      expect(jobs).toEqual(['shop', 'shop.copy']);
      for (const { job, inputs, outputs } of receiver.events) {
        expect(job.facets['acme_costs']).toMatchObject({
          centre: '4711',
          of: job.name,
          _producer: expect.stringContaining('streampark-lineage'),
        });
        expect(job.facets['sql']).toBeUndefined();
        if (job.name !== 'shop.copy') continue;
        expect(inputs).toMatchObject([{ namespace: 'acme://eu', name: 'orders' }]);
        expect(outputs[0]?.facets?.['acme_rank']).toMatchObject({ columns: 2 });
      }
      expect(coded(daemon).map(({ code }) => code)).toEqual(['EXTENSION_FAILED']);
      expect(JSON.stringify([daemon.lines, receiver.requests, lines])).not.toContain('Geheim');
    });
    const said = lines.map((line) => JSON.parse(line) as { code: string; part: string; msg: string; cure: string });
    expect(said.every(({ code, cure }) => code === 'EXTENSION_FAILED' && cure.length > 0)).toBe(true);
    // One builder for the application and its two sinks, one table.
    expect(said.map(({ part }) => part).sort()).toEqual(['connector', 'facets', 'facets', 'facets']);
    const { values } = await metrics.extensionCalls.get();
    expect(values.find(({ labels }) => labels.part === 'facets' && labels.result === 'threw')?.value).toBe(3);
  });
});
