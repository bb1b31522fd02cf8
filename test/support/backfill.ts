// A backfill for tests, in this process: real source, real own tables, real lanes; the clock is the test's.
import { randomBytes } from 'node:crypto';
import { type BackfillReport, openBackfill, type PreviewedRun } from '../../src/daemon/daemon.ts';
import { Conditions, createLog, createMetrics } from '../../src/ops/ops.ts';
import { partsOf, type TestDaemonOptions } from './daemon.ts';

export interface TestBackfillOptions extends TestDaemonOptions {
  readonly all?: boolean;
  readonly team?: string;
  readonly since?: number;
  readonly rate?: number;
  readonly dryRun?: boolean;
}

export interface TestBackfill extends BackfillReport {
  readonly previews: readonly (PreviewedRun & { readonly app: string })[];
  /** Lines of the log. */
  readonly text: string;
}

/** Runs one to its end. */
export async function runTestBackfill(options: TestBackfillOptions, signal = new AbortController().signal): Promise<TestBackfill> {
  const written: string[] = [];
  const log = createLog('debug', { write: (line) => void written.push(line) });
  const metrics = createMetrics();
  const now = options.now ?? Date.now;
  const previews: (PreviewedRun & { readonly app: string })[] = [];
  const backfill = openBackfill({
    ...partsOf(options, log, metrics),
    log,
    metrics,
    conditions: new Conditions(log, now, () => undefined),
    now,
    version: '0.0.0',
    holder: `backfill-${randomBytes(4).toString('hex')}`,
    scope: { all: options.all ?? false, team: options.team ?? null, since: options.since ?? null },
    dryRun: options.dryRun ?? false,
    rate: options.rate ?? null,
    onProgress: () => undefined,
    onPreview: (app, _, run) => previews.push({ app, ...run }),
  });
  try {
    return { ...(await backfill.run(signal)), previews, text: written.join('') };
  } finally {
    await backfill.close();
  }
}
