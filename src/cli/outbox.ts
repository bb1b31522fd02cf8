// `outbox`: what waits, what was refused, and the way back.
import { UsageError } from '../errors/errors.ts';
import { listOutbox, type OutboxEntry, outboxStats, purgeOutbox, type ReplaySelector, replay } from '../outbox/outbox.ts';
import { duration, type Settings } from '../settings/settings.ts';
import { type OutboxState, openState, type State } from '../state/state.ts';
import type { ExitCode } from './cli.ts';
import { stateOptionsOf } from './connect.ts';
import { alignedLines, counted } from './table.ts';

export interface OutboxOptions {
  readonly state: string;
  readonly run?: string;
  readonly event?: string;
  readonly dead: boolean;
  readonly destination?: string;
  readonly olderThan?: string;
  readonly limit: string;
  readonly json: boolean;
}

const states: readonly OutboxState[] = ['waiting', 'sent', 'dead', 'skipped'];

/**
 * Runs one of stats, list, replay, purge on the state tables.
 * @returns 1 when what is to be sent again is not there
 * @throws UsageError for a wrong action or option; StateError
 */
export async function outboxCommand(settings: Settings, action: string, options: OutboxOptions): Promise<ExitCode> {
  const act = actions[action];
  if (act === undefined) throw new UsageError('outbox', `outbox ${action}: the action is stats, list, replay or purge`);
  const state = await openState(stateOptionsOf(settings));
  try {
    const { lines, missing } = await act(state, options);
    for (const line of lines) process.stdout.write(`${line}\n`);
    if (missing !== undefined) process.stderr.write(`outbox ${action}: ${missing}\n`);
    return missing === undefined ? 0 : 1;
  } finally {
    await state.close();
  }
}

/** What an action prints; `missing`: what it was asked for and is not there. */
interface Answer {
  readonly lines: readonly string[];
  readonly missing?: string | undefined;
}

const actions: Readonly<Record<string, (state: State, options: OutboxOptions) => Promise<Answer>>> = {
  stats,
  list,
  replay: again,
  purge,
};

async function stats(state: State, { json }: OutboxOptions): Promise<Answer> {
  const rows = await outboxStats(state.database.db);
  if (json) return { lines: [JSON.stringify(rows)] };
  if (rows.length === 0) return { lines: ['the outbox is empty'] };
  const lines = alignedLines([
    ['destination', 'waiting', 'sent', 'refused', 'skipped', 'oldest waiting'],
    ...rows.map((r) => [r.destination, r.waiting, r.sent, r.dead, r.skipped, timeText(r.oldestWaitingAt)].map(String)),
  ]);
  return { lines };
}

async function list(state: State, options: OutboxOptions): Promise<Answer> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) throw new UsageError('outbox', '--limit is a whole number above 0');
  const rows = await listOutbox(state.database.db, {
    state: stateOf(options.state),
    limit,
    ...(options.destination === undefined ? {} : { destination: options.destination }),
    ...(options.run === undefined ? {} : { runId: options.run }),
  });
  if (options.json) return { lines: rows.map((row) => JSON.stringify(row)) };
  if (rows.length === 0) return { lines: [`no ${options.state} events`] };
  const lines = alignedLines([
    ['written', 'destination', 'application', 'type', 'event', 'run', 'attempts', 'last answer'],
    ...rows.map(rowCells),
  ]);
  return { lines };
}

const rowCells = (row: OutboxEntry): string[] => [
  timeText(row.createdAt),
  row.destination,
  row.key,
  row.type,
  row.eventId,
  row.runId ?? '',
  String(row.attempts),
  row.error ?? '',
];

async function again(state: State, options: OutboxOptions): Promise<Answer> {
  const destination = options.destination === undefined ? {} : { destination: options.destination };
  const selectors: ReplaySelector[] = [
    ...(options.run === undefined ? [] : [{ run: options.run, ...destination }]),
    ...(options.event === undefined ? [] : [{ event: options.event, ...destination }]),
    ...(options.dead ? [{ dead: true as const, ...destination }] : []),
  ];
  const [selector] = selectors;
  if (selector === undefined || selectors.length > 1) throw new UsageError('outbox', 'replay needs one of --run, --event, --dead');
  const moved = await replay(state, selector);
  const missing = moved === 0 ? await missingOf(state, selector) : undefined;
  if (options.json) return { lines: [JSON.stringify({ replayed: moved })], missing };
  if (missing !== undefined) return { lines: [], missing };
  return { lines: [`${counted(moved, 'event')} ${moved === 1 ? 'is' : 'are'} sent again, run by run and in their order`] };
}

/** The run or event that no row is of; undefined where there are rows, or where all refused events were meant. */
async function missingOf({ database: { db } }: State, selector: ReplaySelector): Promise<string | undefined> {
  if ('dead' in selector) return undefined;
  const [what, column, id] =
    'run' in selector ? (['run', 'run_id', selector.run] as const) : (['event', 'event_id', selector.event] as const);
  let query = db.selectFrom('outbox').select('seq').where(column, '=', id).limit(1);
  if (selector.destination !== undefined) query = query.where('destination', '=', selector.destination);
  if ((await query.execute()).length > 0) return undefined;
  const where = selector.destination === undefined ? '' : ` for ${selector.destination}`;
  return `${what} ${id} is unknown: the outbox has no event of it${where}`;
}

async function purge(state: State, options: OutboxOptions): Promise<Answer> {
  const age = options.olderThan === undefined ? 0 : duration.safeParse(options.olderThan).data;
  if (age === undefined) throw new UsageError('outbox', '--older-than is a duration such as 7d');
  const purged = await purgeOutbox(state.database.db, {
    state: stateOf(options.state),
    before: Date.now() - age + (age === 0 ? 1 : 0),
    ...(options.destination === undefined ? {} : { destination: options.destination }),
  });
  if (options.json) return { lines: [JSON.stringify({ purged })] };
  return { lines: [`${purged} ${options.state} events deleted`] };
}

function stateOf(text: string): OutboxState {
  const state = states.find((s) => s === text);
  if (state === undefined) throw new UsageError('outbox', `--state is one of ${states.join(', ')}`);
  return state;
}

const timeText = (at: number | null): string => (at === null ? '' : new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'));
