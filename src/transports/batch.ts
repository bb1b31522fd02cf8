// The batch endpoint: what is posted to it and how its answer is read. Pure but for the requests it is given.
import type { SendResult } from '../outbox/outbox.ts';
import { hintOf } from './body.ts';

/** Joins events into the body of a batch: an array, or an object with the member `events`. */
export function batchBody(events: readonly string[], form: 'array' | 'events'): string {
  const array = `[${events.join(',')}]`;
  return form === 'array' ? array : `{"events":${array}}`;
}

/** Whether a GET of the path tells that something can be posted there. A 2xx is a page or another resource, a 404 nothing. */
export const isOffered = (status: number): boolean => status === 405;

/** Statuses that say there is no such batch endpoint after all. */
export const isAbsent = (status: number): boolean => [404, 405, 406, 415, 501].includes(status);

/**
 * What became of each event of a batch that was taken as a whole (204, or 200 with the specification's summary).
 * @param secrets texts to replace, should the destination repeat what it was sent
 * @returns undefined when some failed and the answer does not say which: each must be sent alone
 */
export function readBatchAnswer(body: string, count: number, secrets: readonly string[]): readonly SendResult[] | undefined {
  const results: SendResult[] = Array.from({ length: count }, () => ({ kind: 'sent' }));
  const answer = parsed(body);
  if (answer === undefined) return results;
  const failed = answer.failed_events ?? answer.failedEvents ?? [];
  if (!Array.isArray(failed)) return undefined;
  for (const one of failed as unknown[]) {
    const { index, reason, retriable } = (one ?? {}) as { index?: unknown; reason?: unknown; retriable?: unknown };
    if (!Number.isInteger(index) || (index as number) < 0 || (index as number) >= count) return undefined;
    const says = `batch: ${typeof reason === 'string' ? hintOf(reason, secrets) : 'refused'}`;
    results[index as number] = retriable === true ? { kind: 'later', reason: says, serverError: true } : { kind: 'never', reason: says };
  }
  const total = answer.summary?.failed;
  const named = results.filter(({ kind }) => kind !== 'sent').length;
  return typeof total === 'number' && total > named ? undefined : results;
}

interface BatchAnswer {
  readonly failed_events?: unknown;
  readonly failedEvents?: unknown;
  readonly summary?: { readonly failed?: unknown } | null;
}

function parsed(body: string): BatchAnswer | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
