// One look at all applications that have, or shall have, properties of ours: decides for each and carries it out. The own tables are written
// before StreamPark's row, so that a crash in between leaves a memory of something that never happened, which the next look corrects.
import { configProperties, environmentProperties } from '../plan/plan.ts';
import { deleteInjection, type StateTx, type StoredInjection, saveInjection } from '../state/state.ts';
import {
  type AppKey,
  type AppProperties,
  appKey,
  type Engine,
  flinkFormat,
  type PropertyFormat,
  propertyColumns,
  type Source,
  sparkFormat,
} from '../watch/watch.ts';
import { type Decision, decideInjection, type Written } from './decide.ts';
import type { Properties } from './edit.ts';
import type { InjectionPlan } from './plan.ts';
import { callsListeners, flinkProperties, shownProperty, sparkProperties } from './wanted.ts';
import { isCalm, writeProperties } from './write.ts';

export interface RoundParts {
  readonly source: Source;
  /** What was written so far, as `listInjections` gives it. */
  readonly written: readonly StoredInjection[];
  readonly transaction: <T>(work: (tx: StateTx) => Promise<T>) => Promise<T>;
  readonly now: () => number;
  /** null: take everything back. */
  readonly plan: InjectionPlan | null;
  /** Applications that are opted in. */
  readonly apps: Iterable<AppKey>;
  /** Say what would be done, and do nothing. */
  readonly dryRun: boolean;
  /** Leaves out an application that was seen with this text before; see `Settled`. */
  readonly settled?: Settled;
}

export interface Outcome {
  readonly app: AppKey;
  readonly name: string;
  readonly column: string;
  /** `waiting`: the console is at work on the row; `blocked`: the text cannot be changed safely. */
  readonly action: 'written' | 'takenBack' | 'waiting' | 'blocked' | 'stands' | 'nothing';
  /** Properties that came and went, tokens masked. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly reason?: string;
}

/** Remembers between rounds what needs no second look. */
export interface Settled {
  has(app: AppProperties, plan: InjectionPlan | null): boolean;
  add(app: AppProperties, plan: InjectionPlan | null): void;
}

const formats: Readonly<Record<Engine, PropertyFormat>> = { flink: flinkFormat, spark: sparkFormat };

/**
 * Looks at all applications once.
 * @returns one outcome for each application that was looked at
 * @throws SourceError, StateError
 */
export async function injectRound(parts: RoundParts): Promise<Outcome[]> {
  const { written } = parts;
  const outcomes: Outcome[] = [];
  for (const engine of ['flink', 'spark'] as const) {
    const optedIn = new Set(parts.plan?.[engine] === true ? idsOf(engine, parts.apps) : []);
    const ids = [...new Set([...optedIn, ...written.filter((one) => one.engine === engine).map((one) => one.appId)])];
    const rows = await parts.source.readProperties(engine, ids);
    await forgetGone(parts, engine, written, rows);
    for (const row of rows) {
      const before = written.find((one) => one.engine === engine && one.appId === row.id && one.createTime === row.createTime) ?? null;
      const plan = optedIn.has(row.id) ? parts.plan : null;
      if (parts.settled?.has(row, plan) === true) continue;
      outcomes.push(await injectOne(parts, row, before, plan));
    }
  }
  return outcomes;
}

const idsOf = (engine: Engine, apps: Iterable<AppKey>): string[] =>
  [...apps].filter((key) => key.startsWith(`${engine}:`)).map((key) => key.slice(engine.length + 1));

async function injectOne(parts: RoundParts, row: AppProperties, before: Written | null, plan: InjectionPlan | null): Promise<Outcome> {
  const format = formats[row.engine];
  const decision = decideInjection({
    format,
    current: row.properties,
    written: before,
    wanted: await wantedOf(parts.source, row, plan),
  });
  const base = { app: appKey(row.engine, row.id), name: row.name, column: format.column };
  const same = { ...base, added: [], removed: [] };
  switch (decision.kind) {
    case 'blocked':
      parts.settled?.add(row, plan);
      return { ...same, action: 'blocked', reason: decision.reason };
    case 'nothing':
      parts.settled?.add(row, plan);
      return { ...same, action: before === null || before.before === before.after ? 'nothing' : 'stands' };
    case 'remember':
      if (!parts.dryRun) await parts.transaction((tx) => remember(tx, parts, row, decision.written));
      return { ...same, action: 'nothing' };
    case 'write':
      return { ...base, ...changes(format, row.properties, decision.text), ...(await carryOut(parts, row, before, decision)) };
  }
}

async function carryOut(
  parts: RoundParts,
  row: AppProperties,
  before: Written | null,
  { text, written }: Extract<Decision, { kind: 'write' }>,
): Promise<Pick<Outcome, 'action' | 'reason'>> {
  const action = written === null || written.before === written.after ? 'takenBack' : 'written';
  if (!isCalm(row)) return { action: 'waiting', reason: `the console is at work on it (state ${row.state})` };
  if (parts.dryRun) return { action };
  if (written !== null) await parts.transaction((tx) => remember(tx, parts, row, written));
  if (await writeProperties(parts.source, row, text)) {
    if (written === null) await parts.transaction((tx) => remember(tx, parts, row, null));
    return { action };
  }
  if (written !== null) await parts.transaction((tx) => remember(tx, parts, row, before));
  return { action: 'waiting', reason: 'the row changed meanwhile' };
}

const keyOf = (row: AppProperties) => ({
  engine: row.engine,
  appId: row.id,
  createTime: row.createTime,
  column: propertyColumns[row.engine],
});

async function remember(tx: StateTx, parts: RoundParts, row: AppProperties, written: Written | null): Promise<void> {
  if (written === null) await deleteInjection(tx, keyOf(row));
  else await saveInjection(tx, { ...keyOf(row), ...written }, parts.now());
}

/** An application that was deleted, or whose id is another one's now, has nothing of ours. */
async function forgetGone(parts: RoundParts, engine: Engine, written: readonly StoredInjection[], rows: readonly AppProperties[]) {
  if (parts.dryRun) return;
  const there = new Set(rows.map((row) => `${row.id} ${row.createTime}`));
  const gone = written.filter((one) => one.engine === engine && !there.has(`${one.appId} ${one.createTime}`));
  // No row at all is no evidence of anything.
  if (gone.length === 0 || rows.length === 0) return;
  await parts.transaction(async (tx) => {
    for (const one of gone) await deleteInjection(tx, one);
  });
}

/** What is wanted for one application, given what stands in its text without ours. */
async function wantedOf(source: Source, row: AppProperties, plan: InjectionPlan | null): Promise<(base: Properties) => Properties | null> {
  if (plan === null) return () => null;
  const { config, engineConf, engineVersion } = await source.loadSubmitConf(row.engine, row.id);
  const outside = [...environmentProperties(row.engine, engineConf), ...unprefixed(configProperties(config))];
  if (row.engine === 'spark') return (base) => sparkProperties(row, plan.target, plan.jars, new Map([...outside, ...base]));
  if (!callsListeners(engineVersion)) return () => null;
  return (base) => flinkProperties(plan.target, new Map([...outside, ...base]));
}

/** StreamPark strips these prefixes from the keys of a Flink config. */
const unprefixed = (config: Properties) => [...config].map(([key, value]) => [key.replace(/^flink\.property\./, ''), value] as const);

function changes(format: PropertyFormat, from: string | null, to: string | null): Pick<Outcome, 'added' | 'removed'> {
  const [old, now] = [format.parse(from ?? '').pairs, format.parse(to ?? '').pairs];
  const differ = (these: Properties, those: Properties) =>
    [...these].filter(([key, value]) => those.get(key) !== value).map(([key, value]) => shownProperty(key, value));
  return { added: differ(now, old), removed: differ(old, now) };
}
