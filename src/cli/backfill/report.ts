// What a backfill did, for people: a table, and why applications were left out.
import type { BackfillReport, SkipReason } from '../../daemon/daemon.ts';
import { alignedLines, counted } from '../table.ts';

const reasons: Readonly<Record<SkipReason, string>> = {
  KNOWN: 'reported before',
  NO_RUN: 'never ran, or nothing is left of it',
  BEFORE_SINCE: 'ended before --since',
  STARTING: 'being started; the daemon reports it',
  TAKEN_UP: 'taken up by the daemon meanwhile',
  LATER_RUN_GONE: 'a later run has ended and is no longer in the outbox, so it could not be told after the earlier ones',
  DELETED: 'deleted meanwhile',
  FAILED: 'failed; see the log above, and run it again',
};

const zones: Readonly<Record<BackfillReport['zone']['from'], string>> = {
  configured: 'sourceTimezone',
  learned: 'learned from fresh writes',
  server: "the database server's; set sourceTimezone if the console has another",
};

const deliveries: Readonly<Record<BackfillReport['delivery'], string>> = {
  daemon: 'the running daemon sends them',
  sent: 'sent',
  waiting: 'some could not be sent; `run` or `once` sends them, `outbox stats` counts them',
  none: 'nothing was sent',
};

/** A dry run cannot count what the daemon has told by the time of the real one. */
const retold = '; not counted: a current run that was told before is told once more behind earlier ones';

/** The report as lines. */
export function reportLines(report: BackfillReport, dryRun: boolean): string[] {
  const skipped = new Map<SkipReason, number>();
  for (const { reason } of report.skipped) skipped.set(reason, (skipped.get(reason) ?? 0) + 1);
  const rows = [
    ['applications', `${report.applications} of ${report.total}`],
    [dryRun ? 'runs to report' : 'runs reported', String(report.runs)],
    ...(report.waiting > 0 ? [['runs that wait for the planner', String(report.waiting)]] : []),
    ['events', `${report.events} (${deliveries[report.delivery]}${dryRun ? retold : ''})`],
    ['times of the console', `${report.zone.zone} (${zones[report.zone.from]})`],
    ['left out', counted(report.skipped.length, 'application')],
    ...[...skipped].map(([reason, count]) => [`  ${count}`, reasons[reason]]),
  ];
  const stopped = report.stopped ? ['stopped before the end; run it again to go on'] : [];
  return [...alignedLines(rows), ...stopped];
}
