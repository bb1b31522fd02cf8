// A tiny console for tracker tests: writes rows and log rows as StreamPark does, and lets a tracker look at them.
import {
  type AppRow,
  type Change,
  type Engine,
  type LogRow,
  type Observation,
  type TrackContext,
  type Tracked,
  type Tracker,
  track,
} from '../../src/watch/watch.ts';

/** Clock of the histories: seconds after this are the times. */
export const midnight = Date.UTC(2026, 0, 1);

/** Raw time of a second of the day, in UTC. */
export const at = (second: number): string => new Date(midnight + second * 1000).toISOString().slice(0, 19).replace('T', ' ');

export const context: TrackContext = {
  toInstant: (raw) => {
    const instant = Date.parse(`${raw.replace(' ', 'T')}Z`);
    return Number.isNaN(instant) ? null : instant;
  },
  lostGraceMs: 600_000,
  stuckAfterMs: 1_800_000,
};

/** A job id that is easy to read: `job('a')`. */
export const job = (letter: string): string => letter.repeat(32);

export const emptyRow: AppRow = {
  engine: 'flink',
  id: '100001',
  createTime: '2025-12-31 00:00:00',
  teamId: '100000',
  userId: '100000',
  name: 'orders',
  jobType: 'sql',
  deployMode: 1,
  state: 0,
  optionState: 0,
  tracking: 0,
  release: 0,
  jobId: null,
  clusterId: null,
  startTime: null,
  endTime: null,
  optionTime: null,
  restartCount: null,
  flinkClusterId: null,
  versionId: null,
  optIn: true,
};

export class History {
  row: AppRow | null;
  logs: LogRow[] = [];
  clusterLost = false;
  tracker: Tracker | null = null;
  readonly changes: Change[] = [];
  readonly codes: string[] = [];
  #nextLog = 100_000;

  constructor(row: Partial<AppRow> = {}) {
    this.row = { ...emptyRow, ...row };
  }

  get engine(): Engine {
    return this.row?.engine ?? 'flink';
  }

  write(columns: Partial<AppRow>): this {
    this.row = { ...(this.row ?? emptyRow), ...columns };
    return this;
  }

  log(operation: LogRow['operation'], second: number, of: Partial<LogRow> = {}): this {
    this.logs.push({
      id: String(this.#nextLog++),
      engine: this.engine,
      appId: this.row?.id ?? '100001',
      operation,
      success: true,
      clusterId: null,
      createTime: at(second),
      exception: null,
      ...of,
    });
    return this;
  }

  observation(second: number): Observation {
    return { row: this.row, logs: this.logs, clusterLost: this.clusterLost, now: midnight + second * 1000 };
  }

  /** One poll; the tracker goes through JSON as it does in the checkpoint. */
  look(second: number): Tracked {
    const tracked = track(this.tracker, this.observation(second), context);
    this.tracker = tracked.tracker === null ? null : (JSON.parse(JSON.stringify(tracked.tracker)) as Tracker);
    this.changes.push(...tracked.changes);
    this.codes.push(...tracked.diagnostics.map((d) => d.code));
    return tracked;
  }

  /** STARTING is written. */
  start(second: number, restartCount = 0): this {
    return this.write({ state: this.engine === 'flink' ? 3 : 3, tracking: 1, optionTime: at(second), restartCount });
  }

  /** The success write and its log row. */
  submitted(second: number, columns: Partial<AppRow>, begun: number, log: Partial<LogRow> = {}): this {
    return this.write({ startTime: at(second), endTime: null, ...columns }).log('start', begun, log);
  }
}

/** A change in one line: what tests compare. */
export function line(change: Change): string {
  const base = `#${change.attempt} ${change.kind}`;
  const clock = (ms: number) => `@${(ms - midnight) / 1000}`;
  switch (change.kind) {
    case 'submitted':
      return `${base} ${identity(change)} ${clock(change.evidence.startedAt)}${change.evidence.continuation > 0 ? ` continuation ${change.evidence.continuation}` : ''}`;
    case 'adopted':
      return `${base} ${identity(change)} ${clock(change.evidence.startedAt)}${change.planScript ? '' : ' parent only'}`;
    case 'missed':
      return `${base} ${identity(change)} ${clock(change.evidence.startedAt)} ${change.how} ${change.reason}${change.reconstructed ? ' reconstructed' : ''} ${clock(change.at)}`;
    case 'ended':
      return `${base} ${change.how} ${change.reason}${change.reconstructed ? ' reconstructed' : ''} ${clock(change.at)}`;
    case 'submissionFailed':
      return `${base} ${identity(change)} ${clock(change.evidence.startedAt)}`;
    default:
      return base;
  }
}

function identity(change: Extract<Change, { evidence: unknown }>): string {
  const { identity: of } = change.evidence;
  switch (of.kind) {
    case 'flink-job':
      return `flink-job:${of.jobId.slice(0, 1)}`;
    case 'mapped':
      return `mapped:${of.jobId.slice(0, 1)}:${of.appId}`;
    case 'flink-log':
      return `flink-log:${of.createTime}:${of.logId}`;
    default:
      return `${of.kind}:${of.yarnId}`;
  }
}
