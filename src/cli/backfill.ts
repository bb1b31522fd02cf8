// `backfill`: events for what is already there.
import { openBackfill, type PreviewedRun } from '../daemon/daemon.ts';
import { UsageError } from '../errors/errors.ts';
import { awaitSignal, createLog } from '../ops/ops.ts';
import { duration, type Settings } from '../settings/settings.ts';
import { openState } from '../state/state.ts';
import { type AppKey, openSource } from '../watch/watch.ts';
import { createProgress } from './backfill/progress.ts';
import { reportLines } from './backfill/report.ts';
import { stateOptionsOf } from './connect.ts';
import { extensionFor } from './extension.ts';
import { logPlanner, plannerFrom } from './planner.ts';
import { surroundings } from './service.ts';
import { printable } from './table.ts';

export interface BackfillOptions {
  readonly all: boolean;
  readonly team?: string;
  readonly since?: string;
  readonly rate?: string;
  readonly dryRun: boolean;
  readonly json: boolean;
}

/**
 * Runs the command.
 * @returns 1 when an application failed, runs wait for the planner, events could not be sent, or it was stopped
 * @throws CodedError whatever is in the way of all applications
 */
export async function backfillCommand(settings: Settings, options: BackfillOptions): Promise<0 | 1> {
  const since = sinceOf(options.since, Date.now());
  const rate = rateOf(options.rate);
  const progress = createProgress(process.stderr, 'application');
  const out = (line: string) => {
    progress.clear();
    process.stdout.write(`${line}\n`);
  };
  const write = (line: string) => {
    progress.clear();
    process.stderr.write(line);
  };
  // one line per run would bury what matters
  const log = createLog(settings.log.level === 'info' ? 'warn' : settings.log.level, { write });
  const around = surroundings(log);
  const state = stateOptionsOf(settings);
  const backfill = openBackfill({
    ...around,
    settings,
    source: openSource(settings),
    openState: () => openState(state),
    planner: plannerFrom(settings, logPlanner(log, around.metrics)),
    extension: await extensionFor(settings, around),
    scope: { all: options.all, team: options.team ?? null, since },
    dryRun: options.dryRun,
    rate,
    onProgress: ({ applications, total, runs, events }) => progress.update(applications, total, `${runs} runs, ${events} events`),
    onPreview: (app, name, run) => out(options.json ? JSON.stringify({ app, name, ...run }) : previewLine(app, name, run)),
  });
  const { signalled, dispose } = awaitSignal(log);
  const abort = new AbortController();
  void signalled.then(() => abort.abort());
  try {
    const report = await backfill.run(abort.signal);
    progress.end();
    if (options.json) out(JSON.stringify({ dryRun: options.dryRun, ...report }));
    else for (const line of reportLines(report, options.dryRun)) out(line);
    const failed = report.skipped.some(({ reason }) => reason === 'FAILED');
    return failed || report.waiting > 0 || report.delivery === 'waiting' || report.stopped ? 1 : 0;
  } finally {
    progress.clear();
    dispose();
    await backfill.close();
  }
}

function sinceOf(text: string | undefined, now: number): number | null {
  if (text === undefined) return null;
  const age = duration.safeParse(text);
  if (age.success) return now - age.data;
  const at = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(at))
    throw new UsageError('backfill', `--since ${text} is neither a duration such as 30d nor a time such as 2026-01-31T00:00Z`);
  return at;
}

function rateOf(text: string | undefined): number | null {
  if (text === undefined) return null;
  const rate = Number(text);
  if (!(rate > 0) || !Number.isFinite(rate)) throw new UsageError('backfill', `--rate ${text} is not a number above 0`);
  return rate;
}

const time = (at: number): string => new Date(at).toISOString().replace(/\.\d+Z$/, 'Z');

function previewLine(app: AppKey, name: string, run: PreviewedRun): string {
  const end = run.endedAt === null ? 'open' : `${run.end} ${time(run.endedAt)}`;
  const version = run.sqlVersion === null ? '' : `, SQL version ${run.sqlVersion}`;
  const notes = run.notes.length === 0 ? '' : ` (${run.notes.join(', ')})`;
  return printable(
    `${app} ${name}: run ${run.runId} ${time(run.startedAt)} to ${end}, ${run.sinks} sinks${version}, ${run.events} events${notes}`,
  );
}
