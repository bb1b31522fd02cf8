// What a lineage server must have received of a history, from the changes that the tracker found in it.
import type { Change } from '../../src/watch/watch.ts';
import type { LineageEvent } from '../support/lineage-receiver.ts';
import type { Console } from './console.ts';
import type { Reported } from './sampled.ts';

/** One run of an application: `flink-100001: START RUNNING FAIL`, with the times of START and end. */
export interface Life {
  readonly job: string;
  types: string[];
  startedAt: number;
  endedAt: number | null;
  /** The script that it must be reported with; null where the polls cannot know. */
  readonly script: number | null;
}

const terminal = { complete: 'COMPLETE', fail: 'FAIL', abort: 'ABORT' } as const;

/** Collects the lives of all runs as polls find them. */
export class Expected {
  readonly lives: Life[] = [];
  readonly #open = new Map<string, Life>();

  found(console: Console, reported: readonly Reported[]): void {
    for (const { change, now } of reported) this.#take(console, change, now);
  }

  #take(console: Console, change: Change, now: number): void {
    const job = `${change.app.engine}-${change.app.id}`;
    const key = `${job}@${change.app.createTime}#${change.attempt}`;
    switch (change.kind) {
      case 'submitted':
      case 'adopted':
      case 'missed':
      case 'submissionFailed': {
        const { startedAt } = change.evidence;
        const life: Life = { job, types: ['START'], startedAt, endedAt: null, script: scriptOf(console, change) };
        this.lives.push(life);
        this.#open.set(key, life);
        if (change.kind === 'adopted') life.types.push('RUNNING');
        if (change.kind === 'missed') close(life, change.how, change.at);
        if (change.kind === 'submissionFailed') close(life, 'fail', now);
        break;
      }
      case 'running':
        if (!this.#open.get(key)?.types.includes('RUNNING')) this.#open.get(key)?.types.push('RUNNING');
        break;
      case 'ended': {
        const life = this.#open.get(key);
        if (life !== undefined) close(life, change.how, change.at);
        break;
      }
      default:
        break;
    }
  }
}

function close(life: Life, how: keyof typeof terminal, at: number): void {
  life.types.push(terminal[how]);
  life.endedAt = at;
}

/** Certain only while the version that the run was started with is still in force. */
function scriptOf(console: Console, change: Extract<Change, { evidence: unknown }>): number | null {
  const app = console.apps.find((a) => a.plan.engine === change.app.engine && a.id === change.app.id && a.row !== null);
  const { run } = app ?? {};
  const planned = change.kind === 'submitted' || (change.kind === 'adopted' && change.planScript);
  if (!planned || app === undefined || run == null || change.app.engine !== 'flink' || change.evidence.continuation > 0) return null;
  return run.kind === 'started' && run.jobId === change.evidence.jobId && run.script === app.script.effective ? run.script : null;
}

/** The same of what arrived, in the order of the first events; repetitions are one. */
export function received(events: readonly LineageEvent[]): Life[] {
  const lives = new Map<string, Life & { last: number }>();
  const seen = new Set<string>();
  const children = new Map<string, number>();
  for (const event of events) {
    if (event.eventType === undefined || event.run === undefined) continue;
    const { runId } = event.run;
    const mark = `${runId} ${event.eventType} ${event.eventTime}`;
    if (seen.has(mark)) continue;
    seen.add(mark);
    const at = Date.parse(event.eventTime);
    const child = /^(.*)\.v(\d+)$/.exec(event.job.name);
    if (child !== null) {
      const parent = (event.run.facets['parent'] as { run?: { runId?: string } } | undefined)?.run?.runId ?? '';
      children.set(parent, Number(child[2]));
      continue;
    }
    const life = lives.get(runId) ?? { job: event.job.name, types: [], startedAt: at, endedAt: null, script: null, last: 0 };
    if (life.endedAt !== null) throw new Error(`${event.eventType} of ${event.job.name} after its end`);
    if (at < life.last) throw new Error(`${event.eventType} of ${event.job.name} goes back in time`);
    life.last = at;
    life.types.push(event.eventType);
    if (['COMPLETE', 'FAIL', 'ABORT'].includes(event.eventType)) life.endedAt = at;
    lives.set(runId, life);
  }
  return [...lives].map(([runId, { last: _, ...life }]) => ({ ...life, script: children.get(runId) ?? null }));
}

/** Throws with the first difference. Times of an end are at least the ones of START and RUNNING, so only START compares exactly. */
export function compare(expected: readonly Life[], got: readonly Life[]): void {
  const text = ({ job, types, startedAt }: Life) => `${job}: ${types.join(' ')} @${new Date(startedAt).toISOString()}`;
  const [want, have] = [expected.map(text).sort(), got.map(text).sort()];
  for (let n = 0; n < Math.max(want.length, have.length); n++) {
    if (want[n] !== have[n]) throw new Error(`expected ${want[n] ?? 'nothing more'}\nreceived ${have[n] ?? 'nothing more'}`);
  }
  for (const life of expected) {
    if (life.script === null) continue;
    const same = got.filter((other) => text(other) === text(life));
    if (same.length === 1 && same[0]?.script !== life.script)
      throw new Error(`${text(life)}: expected version ${life.script} of its script, received ${same[0]?.script}`);
  }
}
