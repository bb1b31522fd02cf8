// The zone of StreamPark's time columns, which carry none: configured, or learned from fresh writes against the database's
// clock. Offsets are multiples of 15 minutes, so one write that is known to be minutes old tells its offset.
import type { Diagnostic } from '../errors/errors.ts';
import { ConfigError } from '../errors/errors.ts';

const minute = 60_000;
const quarter = 15 * minute;
/** Clock difference between console and database that is tolerated. */
const skew = 2 * minute;

/** Converts wall-clock times of one zone. */
export interface Zone {
  /** As it was given. */
  readonly name: string;
  /** Offset of local time from UTC at an instant, in ms. */
  offsetAt(instant: number): number;
}

/**
 * An IANA name (with daylight saving), or an offset: `+08:00`, `-5`, `GMT+8`, `UTC`, `Z`.
 * @throws ConfigError when it is neither
 */
export function parseZone(name: string): Zone {
  const fixed = /^(?:(?:UTC|GMT)?([+-])(\d{1,2})(?::?(\d{2}))?|UTC|GMT|Z)$/i.exec(name.trim());
  if (fixed !== null) {
    const [hours, minutes] = [Number(fixed[2] ?? 0), Number(fixed[3] ?? 0)];
    if (hours <= 18 && minutes < 60) {
      const offset = (fixed[1] === '-' ? -1 : 1) * (hours * 60 + minutes) * minute;
      return { name, offsetAt: () => offset };
    }
  }
  try {
    return ianaZone(name.trim());
  } catch (cause) {
    throw new ConfigError('CONFIG_INVALID', `sourceTimezone: ${name} is neither auto, an IANA zone nor an offset such as +08:00`, {
      cause,
    });
  }
}

function ianaZone(name: string): Zone {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  const offsetAt = (instant: number): number => {
    const parts = Object.fromEntries(format.formatToParts(instant).map((p) => [p.type, Number(p.value)]));
    const { year = 0, month = 1, day = 1, hour = 0, minute: min = 0, second = 0 } = parts as Record<string, number>;
    return Date.UTC(year, month - 1, day, hour, min, second) - Math.floor(instant / 1000) * 1000;
  };
  return { name, offsetAt };
}

/** Reads a raw time as if it were UTC; null when it is no time. Fractions beyond the millisecond are cut. */
export function rawAsUtc(raw: string): number | null {
  const m = /^(\d{4})-(\d{2})-(\d{2})[ T](\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,9}))?$/.exec(raw.trim());
  if (m === null) return null;
  const [year, month, day, hour, min, second] = m.slice(1, 7).map(Number) as [number, number, number, number, number, number];
  const at = Date.UTC(year, month - 1, day, hour, min, second);
  const back = new Date(at);
  if (back.getUTCMonth() !== month - 1 || back.getUTCDate() !== day || hour > 23 || min > 59 || second > 59) return null;
  return at + Number((m[7] ?? '').padEnd(3, '0').slice(0, 3));
}

/**
 * The instant of a wall-clock time. An hour that occurs twice is taken as the first one; one that does not occur is taken
 * as if the clock had not been set forward.
 */
export function instantIn(zone: Zone, raw: string): number | null {
  const local = rawAsUtc(raw);
  if (local === null) return null;
  const day = 24 * 60 * minute;
  const earlier = local - zone.offsetAt(local - day);
  const later = local - zone.offsetAt(local + day);
  for (const at of earlier < later ? [earlier, later] : [later, earlier]) {
    if (at + zone.offsetAt(at) === local) return at;
  }
  return earlier;
}

/** What was learned; plain JSON. */
export interface LearnedZone {
  readonly offsetMs: number;
  /** Another offset that was seen last, and how often in a row. */
  readonly other: { readonly offsetMs: number; readonly times: number } | null;
}

/**
 * The offset of a raw time that was written between two polls, or null when none or several fit (polls too far apart).
 * Log rows are no use here: they carry the begin of an operation and appear at its end.
 */
export function offsetOf(raw: string, before: number, now: number): number | null {
  const local = rawAsUtc(raw);
  if (local === null) return null;
  const offset = Math.ceil((local - now - skew) / quarter) * quarter;
  const highest = local - before + skew;
  const single = offset <= highest && offset + quarter > highest;
  return single && Math.abs(offset) <= 18 * 60 * minute ? offset + 0 : null; // + 0: never minus zero
}

/**
 * Learns from raw times that were written between two polls (both by the database's clock). The first fitting offset holds at once;
 * a different one takes over when it was seen twice in a row (daylight saving, a moved console).
 */
export function learnZone(learned: LearnedZone | null, fresh: readonly string[], before: number | null, now: number): LearnedZone | null {
  if (before === null) return learned;
  let zone = learned;
  for (const raw of fresh) {
    const offsetMs = offsetOf(raw, before, now);
    if (offsetMs === null) continue;
    if (zone === null || zone.offsetMs === offsetMs) zone = { offsetMs, other: null };
    else {
      const times = zone.other?.offsetMs === offsetMs ? zone.other.times + 1 : 1;
      zone = times >= 2 ? { offsetMs, other: null } : { ...zone, other: { offsetMs, times } };
    }
  }
  return zone;
}

/** Offset as people write it: +08:00. */
export function offsetText(offsetMs: number): string {
  const minutes = Math.abs(offsetMs) / minute;
  const two = (n: number) => String(Math.floor(n)).padStart(2, '0');
  return `${offsetMs < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
}

/** Converts the times of one installation. */
export interface ZoneClock {
  toInstant(raw: string): number | null;
  readonly zone: string;
  readonly from: 'configured' | 'learned' | 'server';
  /** SOURCE_TIMEZONE when the configured zone disagrees with what the console writes. */
  readonly diagnostic: Diagnostic | null;
}

/**
 * @param setting `sourceTimezone`: auto, or a zone
 * @param serverZone zone of the database server: holds until something was learned
 * @param now ms since the epoch; the configured zone is compared at this instant
 * @throws ConfigError when the setting is no zone
 */
export function zoneClock(setting: string, learned: LearnedZone | null, serverZone: string, now: number): ZoneClock {
  if (setting !== 'auto') {
    const zone = parseZone(setting);
    const differs = learned !== null && learned.offsetMs !== zone.offsetAt(now);
    const message = differs ? `sourceTimezone is ${setting}, but StreamPark writes times at ${offsetText(learned.offsetMs)}` : '';
    const diagnostic: Diagnostic | null = differs ? { code: 'SOURCE_TIMEZONE', severity: 'error', message } : null;
    return { toInstant: (raw) => instantIn(zone, raw), zone: zone.name, from: 'configured', diagnostic };
  }
  const zone = learned === null ? serverZoneOf(serverZone) : parseZone(offsetText(learned.offsetMs));
  return { toInstant: (raw) => instantIn(zone, raw), zone: zone.name, from: learned === null ? 'server' : 'learned', diagnostic: null };
}

/** Servers may name zones that this runtime does not know; then UTC. */
function serverZoneOf(name: string): Zone {
  try {
    return parseZone(name);
  } catch {
    return parseZone('UTC');
  }
}
