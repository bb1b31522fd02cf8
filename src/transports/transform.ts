// A user's function between the outbox and a destination: it may change an event or drop it. It runs in this process, last
// before the destination's own profile; what it throws or gets wrong costs that event only, which stays as a dead letter.
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { SendResult } from '../outbox/outbox.ts';
import type { Transport } from './transport.ts';

/** What the module exports as default: the event to send, or null to drop it. Other events of the same run are not touched. */
export type EventTransform = (
  event: Record<string, unknown>,
  about: { readonly destination: string },
) => Promise<Record<string, unknown> | null> | Record<string, unknown> | null;

/** A function that waits for something is given up after this. One that computes for ever cannot be stopped. */
const longestMs = 5_000;

/** Puts the function of `module` before a transport. The module is loaded at the first use and kept. */
export function transformed(inner: Transport, module: string, destination: string): Transport {
  let loading: Promise<EventTransform | string> | undefined;
  let failures = 0;
  const load = async (): Promise<EventTransform | string> => {
    loading ??= loaded(module, failures);
    const transform = await loading;
    if (typeof transform !== 'string') return transform;
    // Tried again with the next probe: the file may be on its way.
    loading = undefined;
    failures += 1;
    return transform;
  };

  const changed = async (event: string): Promise<string | null | SendResult> => {
    const transform = await load();
    if (typeof transform === 'string') return { kind: 'paused', reason: transform };
    const result = await limited(transform(JSON.parse(event) as Record<string, unknown>, { destination }));
    if (result === late) return { kind: 'later', reason: `transform: no answer within ${longestMs / 1000} s`, serverError: false };
    if (result === null) return null;
    const text = typeof result === 'object' && !Array.isArray(result) ? JSON.stringify(result) : undefined;
    return text ?? { kind: 'never', reason: 'transform: returned neither an event nor null' };
  };

  return {
    kind: inner.kind,
    async send(event, signal, mayBegin) {
      try {
        const result = await changed(event);
        if (result === null) return { kind: 'sent' };
        return typeof result === 'string' ? inner.send(result, signal, mayBegin) : result;
      } catch (error) {
        // The message is the user's own and may quote the event.
        return { kind: 'never', reason: `transform: threw ${error instanceof Error ? error.name : typeof error}` };
      }
    },
    async probe(signal) {
      const transform = await load();
      if (typeof transform === 'string') return { ok: false, detail: transform };
      return inner.probe(signal);
    },
    close: () => inner.close(),
  };
}

/** @param failures loads that failed before: a module is read anew under another address only */
async function loaded(module: string, failures: number): Promise<EventTransform | string> {
  const url = pathToFileURL(resolve(module));
  if (failures > 0) url.search = `again=${failures}`;
  try {
    const { default: transform } = (await import(url.href)) as { default?: unknown };
    return typeof transform === 'function' ? (transform as EventTransform) : `transform: ${module} has no function as its default export`;
  } catch (error) {
    return `transform: ${module} cannot be loaded (${(error as NodeJS.ErrnoException).code ?? (error as Error).name})`;
  }
}

const late = Symbol('late');

async function limited<T>(work: Promise<T> | T): Promise<T | typeof late> {
  if (!(work instanceof Promise)) return work;
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<typeof late>((done) => {
    timer = setTimeout(() => done(late), longestMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    work.catch(() => undefined);
  }
}
