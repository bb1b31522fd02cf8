// docs/lifecycle.md, made from the table of states.
import type { Engine } from './rows.ts';
import { type StateMeaning, statesOf } from './states.ts';

const events = { complete: 'COMPLETE', fail: 'FAIL', abort: 'ABORT' } as const;

const meanings: Readonly<Record<StateMeaning['kind'], readonly [meaning: string, event: string]>> = {
  idle: ['not started, or its release was revoked', 'none; an open run that was stopped, or has an end_time, ends'],
  starting: ['a submission was asked for; the row still describes the run before it', 'none until the submission is proven; then START'],
  live: ['the job exists', 'START if the run was not reported yet'],
  ended: ['the run is over', ''],
  lost: ['the console lost sight of the job', 'none; FAIL after `events.lostGrace`, unless the job is found again'],
  mapping: ['a job that runs elsewhere is being bound to the application', 'none until it is live; then START without lineage'],
  unknown: ['tells nothing', 'none'],
};

function row(engine: Engine, state: number, name: string, meaning: StateMeaning): string {
  const [text, event] = meanings[meaning.kind];
  const cells = (what: string, then: string) => `| ${engine} | ${state} | ${name} | ${what} | ${then} |`;
  switch (meaning.kind) {
    case 'ended':
      return cells(text, events[meaning.how]);
    case 'live':
      if (meaning.running) return cells('the job runs', `${event}; RUNNING once`);
      if (meaning.stopping) return cells('the job exists; a stop was asked for', event);
      return cells(text, event);
    default:
      return cells(text, event);
  }
}

/** The page. */
export function lifecyclePage(): string {
  const rows = (['flink', 'spark'] as const).flatMap((engine) =>
    statesOf(engine).map(({ state, name, meaning }) => row(engine, state, name, meaning)),
  );
  return `# Life cycle

Generated from the table of states in the program. What the \`state\` column of an application means, and which event follows for its run.
The same number means different things in Flink and Spark. A number that is not listed tells nothing and changes nothing.

| engine | state | name | meaning | event |
| --- | --- | --- | --- | --- |
${rows.join('\n')}

## From rows to runs

A state alone proves nothing. After a crash of the console, or an automatic restart that never happens, the row of an application shows the
states of a job that ended long ago. So a run is reported from evidence, by these rules.

**A start is proven** by a log row of a successful START, or by a job id (Spark: a YARN application id) that differs from the one before.
Until then nothing is said, whatever states follow. A start that was given up leaves no event.

**The START event waits for the job id**, because run ids are made of it. On Flink's YARN modes 2 and 4 the row keeps the id of the run
before until the console has looked at the cluster; everywhere else it is right as soon as the submission succeeded. A run on YARN that
ends without ever showing a job id is known by its YARN application.

**A refused submission** is one run of the application with START and FAIL, without lineage. The job that the row shows beside it is that of
an earlier run. Off with \`events.failedSubmissions\`.

**The first end counts.** Later states of the same job id are ignored, unless a new START log row comes with it (jobs with fixed ids).

**Ends that nobody saw.** When a newer start shows that a run is over:

| evidence | reported as |
| --- | --- |
| a log row of a stop | ABORT |
| the newer start was automatic: \`restart_count\` is higher than the starts after it explain | FAIL |
| none of these | ABORT, marked \`reconstructed\` |

A FAIL is marked \`reconstructed\` too when a start without a log row may have been counted in \`restart_count\`. Runs that began and ended
between two looks are found by their log rows; they are reported with the job id and the end_time of the row where it still shows
them, else with the times of the log rows.

**RUNNING beside an end_time** means that the job has ended and its final state follows. If none follows within \`events.lostGrace\`, it ended
when the end_time is later than a request to stop; otherwise the job was lost and found again, and it goes on.

**LOST** ends a run with FAIL after \`events.lostGrace\`. A session cluster that is down counts as lost for the runs on it, since their rows may
say RUNNING for ever. A job that is found again after its FAIL is a run of its own that names the one before.

**A mapped job** is a run without lineage: nobody knows which script runs there. When the mapping and another start fall between two looks,
one cannot be told from the other.

**Opting out** lets an open run go on to its end and begins no other. **Deleting** an application ends its run with ABORT. An id that is given
again, with another create_time, is another application.

**A missing opt-in column or table** changes nothing: applications that were opted in stay so, their new runs included, and no other is
taken up.

**Times** are those of the console, never ahead of the database's clock, and an end is never before its start. An end_time that is empty,
before the start or from before 2001 is replaced by the time at which the end was seen.
`;
}
