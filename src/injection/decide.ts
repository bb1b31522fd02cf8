// What is to be done with the properties of one application: a comparison of the text that stands there with the text that was written.
// A user's edit wins for ever; a text that the console wrote back from an old copy is put again, a few times.
import type { PropertyFormat } from '../watch/watch.ts';
import { appendProperties, type Properties, takeBack } from './edit.ts';

/** What was written, and what is remembered of the time since. */
export interface Written {
  readonly before: string | null;
  readonly after: string;
  readonly declined: readonly string[];
  readonly writes: number;
}

export interface Facts {
  readonly format: PropertyFormat;
  /** The column as it stands; null = NULL. */
  readonly current: string | null;
  readonly written: Written | null;
  /** Properties to add to a text that reads as `base`; null when nothing of ours shall stand there. */
  readonly wanted: (base: Properties) => Properties | null;
}

export type Decision =
  | { readonly kind: 'nothing' }
  /** The text cannot be changed safely. */
  | { readonly kind: 'blocked'; readonly reason: string }
  /** Only our own memory changes; null = forget. */
  | { readonly kind: 'remember'; readonly written: Written | null }
  | { readonly kind: 'write'; readonly text: string | null; readonly written: Written | null };

/** A text that was written back so often is somebody's wish. */
const mostWrites = 3;
/** MySQL's TEXT; longer ones are cut there without an error in some modes. */
const longestBytes = 65_535;

/** Decides for one application. Pure. */
export function decideInjection(facts: Facts): Decision {
  const { format, current, written } = facts;
  if (written === null) return put(facts, current, { declined: [], writes: 0 });
  if (current === written.after) return stands(facts, written);
  const ours = oursOf(format, written);
  const gone = [...ours.keys()];
  if (same(current, written.before)) {
    if (facts.wanted(format.parse(current ?? '').pairs) === null) return { kind: 'remember', written: null };
    if (written.writes >= mostWrites) {
      return { kind: 'remember', written: { ...written, after: current ?? '', declined: union(written.declined, gone) } };
    }
    return put(facts, current, written);
  }
  return edited(facts, written, ours);
}

/** What we wrote still stands there. */
function stands(facts: Facts, written: Written): Decision {
  const base = facts.format.parse(written.before ?? '').pairs;
  const wanted = facts.wanted(base);
  if (wanted === null) {
    if (same(written.before, written.after)) return { kind: 'remember', written: null };
    return { kind: 'write', text: written.before, written: null };
  }
  const decision = put(facts, written.before, { ...written, writes: 0 });
  if (decision.kind === 'write' && readsSame(facts.format, decision.text ?? '', written.after)) return { kind: 'nothing' };
  if (decision.kind !== 'nothing') return decision;
  if (same(written.before, written.after)) return { kind: 'nothing' };
  return {
    kind: 'write',
    text: written.before,
    written: written.declined.length === 0 ? null : { ...written, after: written.before ?? '' },
  };
}

/** Somebody changed the text since: what he changed of ours is his, the rest stays ours. */
function edited(facts: Facts, written: Written, ours: Properties): Decision {
  const { format, current } = facts;
  const text = current ?? '';
  const pairs = format.parse(text).pairs;
  const declined = [...ours].filter(([key, value]) => pairs.get(key) !== value).map(([key]) => key);
  const back = takeBack(format, text, ours);
  if (facts.wanted(pairs) === null) {
    if ('problem' in back) return { kind: 'blocked', reason: back.problem };
    if (back.text === text) return { kind: 'remember', written: null };
    return { kind: 'write', text: back.text === '' && written.before === null ? null : back.text, written: null };
  }
  const before = 'problem' in back ? text : back.text;
  return { kind: 'remember', written: { before, after: text, declined: union(written.declined, declined), writes: 1 } };
}

/** Adds what is wanted and missing to `base`. */
function put(facts: Facts, base: string | null, memory: Pick<Written, 'declined' | 'writes'>): Decision {
  const wanted = facts.wanted(facts.format.parse(base ?? '').pairs);
  const added = new Map([...(wanted ?? [])].filter(([key]) => !memory.declined.includes(key)));
  if (added.size === 0) return { kind: 'nothing' };
  const result = appendProperties(facts.format, base, added);
  if ('problem' in result) return { kind: 'blocked', reason: result.problem };
  if (Buffer.byteLength(result.text, 'utf8') > longestBytes) return { kind: 'blocked', reason: 'the column has no room for more text' };
  const written = { before: base, after: result.text, declined: memory.declined, writes: memory.writes + 1 };
  return { kind: 'write', text: result.text, written };
}

/** The properties that were added by what was written. */
function oursOf(format: PropertyFormat, { before, after }: Written): Properties {
  const old = format.parse(before ?? '').pairs;
  return new Map([...format.parse(after).pairs].filter(([key, value]) => old.get(key) !== value));
}

/** Whether two texts say the same, in whatever order. */
function readsSame(format: PropertyFormat, a: string, b: string): boolean {
  const [these, those] = [format.parse(a).pairs, format.parse(b).pairs];
  return these.size === those.size && [...these].every(([key, value]) => those.get(key) === value);
}

/** NULL and an empty text say the same to the console. */
const same = (a: string | null, b: string | null): boolean => (a ?? '') === (b ?? '');

const union = (a: readonly string[], b: readonly string[]): string[] => [...new Set([...a, ...b])];
