// A user's function between the outbox and a destination: it may change an event or drop it. It runs in a thread of its own, last
// before the destination's own profile; what it throws or gets wrong costs that event only, which stays as a dead letter.
import { type Extension, openModule } from '../extension/extension.ts';
import type { SendResult } from '../outbox/outbox.ts';
import type { Transport } from './transport.ts';

export type { EventTransform } from '../extension/extension.ts';

/** A function that does not answer is given up after this, and its thread with it if it computes. */
const longestMs = 5_000;

/** The event to send, null to drop it, or what becomes of it. */
type Changed = string | null | SendResult;

interface Changer {
  change(event: string): Promise<Changed>;
  /** For `check`: what is wrong. */
  problem(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** Puts the default export of `module` before a transport. It is loaded at the first use; one that is not there pauses the lane. */
export function transformed(inner: Transport, module: string, destination: string): Transport {
  const loaded = openModule(module);
  const lacking = `transform: ${module} has no function as its default export`;
  const problem = async (): Promise<string | undefined> => {
    const found = await loaded.shape();
    if ('reason' in found) return `transform: ${found.reason}`;
    if (isFunction(found.shape['default'])) return undefined;
    await loaded.close();
    return lacking;
  };
  return changedBy(inner, {
    problem,
    async change(event) {
      const wrong = await problem();
      if (wrong !== undefined) return { kind: 'paused', reason: wrong };
      const outcome = await loaded.call({ path: ['default'] }, [JSON.parse(event), { destination }], longestMs);
      switch (outcome.kind) {
        case 'unloadable':
          return { kind: 'paused', reason: `transform: ${outcome.reason}` };
        case 'late':
          return { kind: 'later', reason: `transform: no answer within ${longestMs / 1000} s`, serverError: false };
        case 'threw':
          return { kind: 'never', reason: `transform: threw ${outcome.threw}` };
        case 'value':
          return textOf(outcome.value);
      }
    },
    close: () => loaded.close(),
  });
}

/** Puts the event transformer of the extension before a transport. */
export function transformedBy(inner: Transport, extension: Extension, destination: string): Transport {
  return changedBy(inner, {
    problem: async () => undefined,
    async change(event) {
      const said = await extension.transform(JSON.parse(event) as Record<string, unknown>, destination);
      // An event that was not looked at may hold what the function takes out, so it does not go as it is.
      return 'problem' in said ? { kind: 'never', reason: `transform of the extension: ${said.problem}` } : textOf(said.value);
    },
    close: async () => undefined,
  });
}

const isFunction = (shape: unknown): boolean => (shape as { function?: unknown } | undefined)?.function === true;

function textOf(value: unknown): Changed {
  if (value === null) return null;
  try {
    if (typeof value === 'object' && !Array.isArray(value)) return JSON.stringify(value);
  } catch (error) {
    return { kind: 'never', reason: `transform: its answer is no JSON (${(error as Error).name})` };
  }
  return { kind: 'never', reason: 'transform: returned neither an event nor null' };
}

function changedBy(inner: Transport, changer: Changer): Transport {
  return {
    kind: inner.kind,
    async send(event, signal, mayBegin) {
      const result = await changer.change(event);
      if (result === null) return { kind: 'sent' };
      return typeof result === 'string' ? inner.send(result, signal, mayBegin) : result;
    },
    async probe(signal) {
      const problem = await changer.problem();
      return problem === undefined ? inner.probe(signal) : { ok: false, detail: problem };
    },
    async close() {
      await changer.close();
      await inner.close();
    },
  };
}
