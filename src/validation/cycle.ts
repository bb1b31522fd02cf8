// The run cycle: what must hold between the events of one run, in the order in which they come.
import { isObject, type Json, textAt } from './event.ts';
import { type Finding, finding } from './rules.ts';

const terminal: ReadonlySet<string> = new Set(['COMPLETE', 'FAIL', 'ABORT']);

interface Run {
  readonly job: string;
  started: boolean;
  ended: string | undefined;
  /** ms; NaN while no readable time was seen. */
  time: number;
  /** Type and time of the last event. */
  last: string;
  inputs: boolean;
  outputs: boolean;
}

export interface Cycle {
  /** Looks at the next event. */
  take(event: Json): readonly Finding[];
  /** Runs seen, and those of them that have not ended. */
  counts(): { readonly runs: number; readonly open: number };
}

/** Keeps a few words for each run, some 300 bytes. */
export function runCycle(): Cycle {
  const runs = new Map<string, Run>();
  /** Each job's name is kept once. */
  const jobs = new Map<string, string>();
  let ended = 0;

  const once = (job: string): string => {
    const known = jobs.get(job);
    if (known === undefined) jobs.set(job, job);
    return known ?? job;
  };

  const judge = (run: Run, type: string, event: Json, job: string): Finding[] => {
    const findings: Finding[] = [];
    const say = (...args: Parameters<typeof finding>) => void findings.push(finding(...args));
    const time = Date.parse(textAt(event, 'eventTime') ?? '');
    const isEnd = terminal.has(type);
    const repeated = run.last === `${type} ${time}`;
    if (run.job !== job) say('cycle-job', '/job', `the run belongs to ${run.job}`);
    if (repeated) say('cycle-again', '/eventType', `${type} of the same time again`);
    else if (run.ended !== undefined) say('cycle-ended', '/eventType', `${type} after ${run.ended}`);
    else if (type === 'START' && run.started) say('cycle-again', '/eventType', 'another START');
    if (!run.started && type !== 'START') {
      if (isEnd) say('cycle-start', '/eventType', `${type} without START`);
      else say('cycle-early', '/eventType', `${type} before START`);
    }
    if (time < run.time) say('cycle-time', '/eventTime', `earlier than ${new Date(run.time).toISOString()}`);
    for (const side of ['inputs', 'outputs'] as const) {
      const named = Array.isArray(event[side]) && (event[side] as unknown[]).length > 0;
      if (run[side] && !named) say('cycle-bare', `/${side}`, `empty, but an earlier event of the run named ${side}`);
      run[side] ||= named;
    }
    run.started ||= type === 'START' || !isEnd;
    if (isEnd && run.ended === undefined) {
      run.ended = type;
      ended += 1;
    }
    if (!(time < run.time)) run.time = time;
    run.last = `${type} ${time}`;
    return findings;
  };

  return {
    take(event) {
      const id = isObject(event['run']) ? textAt(event['run'], 'runId') : undefined;
      const type = textAt(event, 'eventType');
      if (id === undefined || type === undefined) return [];
      const job = once(`${textAt(event['job'], 'namespace') ?? ''}/${textAt(event['job'], 'name') ?? ''}`);
      let run = runs.get(id);
      if (run === undefined) {
        run = { job, started: false, ended: undefined, time: Number.NaN, last: '', inputs: false, outputs: false };
        runs.set(id, run);
      }
      return judge(run, type, event, job);
    },
    counts: () => ({ runs: runs.size, open: runs.size - ended }),
  };
}
