// An event of any producer, as the outbox takes it: the text stays as it came, what is read of it decides order and kind only.
import { createHash } from 'node:crypto';
import type { OutgoingEvent } from '../openlineage/openlineage.ts';

/** What is read of an event. */
export interface Outline extends Pick<OutgoingEvent, 'kind' | 'type' | 'runId' | 'terminal' | 'at'> {
  /** Events of one key are delivered one after the other: those of a run, or of a job or dataset that is described without one. */
  readonly orderKey: string;
}

export interface AcceptedEvent extends Pick<Outline, 'orderKey'> {
  readonly event: OutgoingEvent;
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const terminal = new Set(['COMPLETE', 'ABORT', 'FAIL']);
const runTypes = new Set(['START', 'RUNNING', 'COMPLETE', 'ABORT', 'FAIL', 'OTHER']);

const digest = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/**
 * Reads one event.
 * @returns a reason when it is no OpenLineage event; facets are not looked at
 */
export function outlineOf(value: unknown): Outline | { readonly problem: string } {
  if (!isRecord(value)) return { problem: 'an event is a JSON object' };
  const at = Date.parse(String(value['eventTime']));
  if (typeof value['eventTime'] !== 'string' || Number.isNaN(at)) return { problem: '/eventTime is not a date-time' };
  if ('run' in value) {
    const runId = isRecord(value['run']) ? value['run']['runId'] : undefined;
    if (typeof runId !== 'string' || !uuid.test(runId)) return { problem: '/run/runId is not a UUID' };
    if (nameOf(value['job']) === undefined) return { problem: '/job has no namespace and name' };
    const type = value['eventType'] ?? 'OTHER';
    if (typeof type !== 'string' || !runTypes.has(type)) return { problem: '/eventType is none of the specification' };
    // Elsewhere a RUNNING event repeats the full state and a newer one makes it superfluous; that of a stranger need not.
    const kept = type === 'RUNNING' ? 'OTHER' : (type as OutgoingEvent['type']);
    return { orderKey: `run:${runId.toLowerCase()}`, kind: 'run', type: kept, runId, terminal: terminal.has(type), at };
  }
  const owner = 'job' in value ? 'job' : 'dataset';
  const name = nameOf(value[owner]);
  if (name === undefined) return { problem: 'neither a run nor a job nor a dataset with namespace and name' };
  return { orderKey: `${owner}:${digest(name).slice(0, 40)}`, kind: 'job', type: 'JOB', runId: null, terminal: false, at };
}

/**
 * An event for the outbox.
 * @param json the text to deliver
 * @param value the same, parsed
 */
export function acceptEvent(json: string, value: unknown): AcceptedEvent | { readonly problem: string } {
  const outline = outlineOf(value);
  if ('problem' in outline) return outline;
  const { orderKey, ...read } = outline;
  // The same bytes sent twice, because an answer was lost, are one event.
  return { orderKey, event: { ...read, id: `relay:${digest(json)}`, json } };
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function nameOf(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined;
  const { namespace, name } = value;
  return typeof namespace === 'string' && typeof name === 'string' && namespace !== '' && name !== ''
    ? JSON.stringify([namespace, name])
    : undefined;
}
