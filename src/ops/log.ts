// Logs: pino, JSON lines on stderr (stdout is for data). One child per stage; event name + ids, never an option value.
import pino from 'pino';
import { CodedError, type ErrorCode, errorCatalogue } from '../errors/errors.ts';

export type Log = pino.Logger;

/**
 * The root logger. It writes synchronously so that nothing is lost at exit.
 * Errors are written as type, code and our message: driver errors carry URLs, so their text never appears.
 */
export function createLog(level: string, destination: pino.DestinationStream = pino.destination({ dest: 2, sync: true })): Log {
  return pino(
    {
      base: null,
      level,
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { logMethod: withCure },
      serializers: { err: describeError },
      redact: { paths: ['password', '*.password', 'token', '*.token', 'url', '*.url', 'headers'], censor: '[hidden]' },
    },
    destination,
  );
}

/** A warning or an error with a code tells its cure, wherever it is written. */
function withCure(this: pino.Logger, args: Parameters<pino.LogFn>, method: pino.LogFn, level: number): void {
  const [facts, ...rest] = args as unknown as [unknown, ...unknown[]];
  const code = typeof facts === 'object' && facts !== null ? (facts as { code?: unknown }).code : undefined;
  const cure = level >= 40 && typeof code === 'string' && code in errorCatalogue ? errorCatalogue[code as ErrorCode].cure : undefined;
  if (cure === undefined) method.apply(this, args);
  else method.apply(this, [{ cure, ...(facts as object) }, ...rest] as unknown as Parameters<pino.LogFn>);
}

/** An error as it may be logged: no message of a foreign error, only its class and code. */
export function describeError(error: unknown): Record<string, unknown> {
  if (error instanceof CodedError) return { type: error.name, code: error.code, message: error.message };
  if (!(error instanceof Error)) return { type: typeof error };
  const code = (error as NodeJS.ErrnoException).code;
  return {
    type: error.name,
    ...(code === undefined ? {} : { code }),
    at: error.stack
      ?.split('\n')
      .slice(1, 4)
      .map((line) => line.trim()),
  };
}

interface Standing {
  readonly since: number;
  readonly text: string;
  repeats: number;
  lastLogged: number;
}

/**
 * Conditions that last (an unreachable database, a paused destination): one line when they begin, a reminder every
 * `remindMs`, one line when they end. Not one line per poll.
 */
export class Conditions {
  readonly #standing = new Map<string, Standing>();
  readonly #log: Log;
  readonly #now: () => number;
  readonly #remindMs: number;
  readonly #onRaise: (code: ErrorCode) => void;

  constructor(log: Log, now: () => number, onRaise: (code: ErrorCode) => void, remindMs = 10 * 60_000) {
    this.#log = log;
    this.#now = now;
    this.#onRaise = onRaise;
    this.#remindMs = remindMs;
  }

  /** Says that the condition holds; `subject` tells several of one code apart. */
  raise(code: ErrorCode, subject: string, message: string, level: 'warn' | 'error' = 'warn'): void {
    const key = `${code} ${subject}`;
    const now = this.#now();
    this.#onRaise(code);
    const standing = this.#standing.get(key);
    if (standing === undefined) {
      this.#standing.set(key, { since: now, text: message, repeats: 0, lastLogged: now });
      this.#log[level]({ code, subject, cure: errorCatalogue[code].cure }, message);
      return;
    }
    standing.repeats += 1;
    if (now - standing.lastLogged < this.#remindMs) return;
    standing.lastLogged = now;
    this.#log[level](
      { code, subject, repeats: standing.repeats, forSeconds: Math.round((now - standing.since) / 1000) },
      `still: ${message}`,
    );
  }

  /** Says that the condition is over; silent when it did not hold. */
  clear(code: ErrorCode, subject: string): void {
    const key = `${code} ${subject}`;
    const standing = this.#standing.get(key);
    if (standing === undefined) return;
    this.#standing.delete(key);
    this.#log.info({ code, subject, forSeconds: Math.round((this.#now() - standing.since) / 1000) }, `over: ${standing.text}`);
  }

  /** What holds now, for /readyz. */
  list(): { readonly code: ErrorCode; readonly message: string; readonly sinceMs: number }[] {
    return [...this.#standing].map(([key, s]) => ({ code: key.split(' ', 1)[0] as ErrorCode, message: s.text, sinceMs: s.since }));
  }
}
