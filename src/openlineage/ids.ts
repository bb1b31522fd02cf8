// Run ids: name-based UUIDs, so that the same run has the same id after a crash, on a stand-by and in another producer
// that knows the formula. Everything here is a pure function of what StreamPark stored.
import { createHash } from 'node:crypto';
import type { RunIdentity } from '../watch/watch.ts';

/**
 * UUID version 3 without a namespace: MD5 over the UTF-8 bytes, as Java's `UUID.nameUUIDFromBytes`.
 * @returns 36 characters, lower case
 */
export function nameUuid(name: string): string {
  const digest = createHash('md5').update(name, 'utf8').digest();
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x30, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  return digest.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** What makes two runs of one job id different. */
export interface IdentitySuffix {
  /** The id of the START log row, else the raw option_time; only when the bare identity was used by another run. */
  readonly collision?: string | null;
  /** Number of the continuation after a FAIL was sent for a run that was only lost from sight; 0 = the run itself. */
  readonly continuation?: number;
}

/**
 * The text that the ids of a run are made of; unique per run and installation.
 * `flink-job:<job id>` is the key of StreamPark's own proposal (PR #4498); the other kinds follow its form.
 */
export function identityText(identity: RunIdentity, suffix: IdentitySuffix = {}): string {
  const collision = suffix.collision ? `:${suffix.collision}` : '';
  const revived = suffix.continuation ? `:revived:${suffix.continuation}` : '';
  return bareIdentity(identity) + collision + revived;
}

function bareIdentity(identity: RunIdentity): string {
  switch (identity.kind) {
    case 'flink-job':
      return `flink-job:${identity.jobId}`;
    case 'flink-app':
      return `flink-app:${identity.yarnId}`;
    case 'flink-log':
      return `flink-log:${wholeSeconds(identity.createTime)}:${identity.logId}`;
    case 'spark-app':
      return `spark-app:${identity.yarnId}`;
    case 'mapped':
      return `flink-job:${identity.jobId}:app:${identity.appId}`;
  }
}

/** Drivers and servers print one and the same time with a `T`, a fraction or a zone, or without: the id must not depend on it. */
function wholeSeconds(raw: string): string {
  const match = /^\s*(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}:\d{2})/.exec(raw);
  return match === null ? raw.trim() : `${match[1]} ${match[2]}`;
}

/** Id of the application's own run. `identity` comes from `identityText`. */
export const parentRunId = (identity: string): string => nameUuid(identity);

/** Id of the run of one sink dataset. With a `flink-job` identity it equals the id of StreamPark's PR #4498. */
export const childRunId = (identity: string, sink: { readonly namespace: string; readonly name: string }): string =>
  nameUuid(`${identity}:${sink.namespace}/${sink.name}`);

/**
 * Id of an event in the outbox: the same event made twice has the same id.
 * @param eventTime as printed in the event
 * @param sequence tells apart two events that agree in everything else
 */
export const eventId = (runId: string, type: string, eventTime: string, sequence: number): string =>
  nameUuid(`event:${runId}:${type}:${eventTime}:${sequence}`);
