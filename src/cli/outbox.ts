// `outbox`: what waits, what was refused, and the way back.
import { ConfigError } from '../errors/errors.ts';
import { listOutbox, type OutboxEntry, outboxStats, purgeOutbox, type ReplaySelector, replay } from '../outbox/outbox.ts';
import { duration, type Settings } from '../settings/settings.ts';
import { type OutboxState, openState, type State } from '../state/state.ts';
import type { ExitCode } from './cli.ts';
import { stateOptionsOf } from './connect.ts';
import { alignedLines } from './table.ts';

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
 * @throws ConfigError for a wrong action or option; StateError
 */
export async function outboxCommand(settings: Settings, action: string, options: OutboxOptions): Promise<ExitCode> {
  const act = actions[action];
  if (act === undefined) throw new ConfigError('CONFIG_INVALID', `outbox ${action}: the action is stats, list, replay or purge`);
  const state = await openState(stateOptionsOf(settings));
  try {
    for (const line of await act(state, options)) process.stdout.write(`${line}\n`);
    return 0;
  } finally {
    await state.close();
  }
}

const actions: Readonly<Record<string, (state: State, options: OutboxOptions) => Promise<string[]>>> = {
  stats,
  list,
  replay: again,
  purge,
};

async function stats(state: State, { json }: OutboxOptions): Promise<string[]> {
  const rows = await outboxStats(state.database.db);
  if (json) return [JSON.stringify(rows)];
  if (rows.length === 0) return ['the outbox is empty'];
  return alignedLines([
    ['destination', 'waiting', 'sent', 'refused', 'skipped', 'oldest waiting'],
    ...rows.map((r) => [r.destination, r.waiting, r.sent, r.dead, r.skipped, timeText(r.oldestWaitingAt)].map(String)),
  ]);
}

async function list(state: State, options: OutboxOptions): Promise<string[]> {
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1) throw new ConfigError('CONFIG_INVALID', '--limit is a whole number above 0');
  const rows = await listOutbox(state.database.db, {
    state: stateOf(options.state),
    limit,
    ...(options.destination === undefined ? {} : { destination: options.destination }),
    ...(options.run === undefined ? {} : { runId: options.run }),
  });
  if (options.json) return rows.map((row) => JSON.stringify(row));
  if (rows.length === 0) return [`no ${options.state} events`];
  return alignedLines([
    ['written', 'destination', 'application', 'type', 'event', 'run', 'attempts', 'last answer'],
    ...rows.map(rowCells),
  ]);
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

async function again(state: State, options: OutboxOptions): Promise<string[]> {
  const destination = options.destination === undefined ? {} : { destination: options.destination };
  const selectors: ReplaySelector[] = [
    ...(options.run === undefined ? [] : [{ run: options.run, ...destination }]),
    ...(options.event === undefined ? [] : [{ event: options.event, ...destination }]),
    ...(options.dead ? [{ dead: true as const, ...destination }] : []),
  ];
  const [selector] = selectors;
  if (selector === undefined || selectors.length > 1) throw new ConfigError('CONFIG_INVALID', 'replay needs one of --run, --event, --dead');
  const moved = await replay(state, selector);
  if (options.json) return [JSON.stringify({ replayed: moved })];
  return [`${moved} events are sent again, run by run and in their order`];
}

async function purge(state: State, options: OutboxOptions): Promise<string[]> {
  const age = options.olderThan === undefined ? 0 : duration.safeParse(options.olderThan).data;
  if (age === undefined) throw new ConfigError('CONFIG_INVALID', '--older-than is a duration such as 7d');
  const purged = await purgeOutbox(state.database.db, {
    state: stateOf(options.state),
    before: Date.now() - age + (age === 0 ? 1 : 0),
    ...(options.destination === undefined ? {} : { destination: options.destination }),
  });
  if (options.json) return [JSON.stringify({ purged })];
  return [`${purged} ${options.state} events deleted`];
}

function stateOf(text: string): OutboxState {
  const state = states.find((s) => s === text);
  if (state === undefined) throw new ConfigError('CONFIG_INVALID', `--state is one of ${states.join(', ')}`);
  return state;
}

const timeText = (at: number | null): string => (at === null ? '' : new Date(at).toISOString().replace(/\.\d+Z$/, 'Z'));
