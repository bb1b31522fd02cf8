// What a failure tells the operator: the source or the own tables are away (a lasting condition, said once by whoever meets it
// first), or something else.
import { CodedError, type ErrorCode, SourceError, StateError } from '../errors/errors.ts';
import type { Conditions } from '../ops/ops.ts';
import { stateError } from '../state/state.ts';

/**
 * The failure with its code; undefined for a fault of this program.
 * @param label of the own tables: reads outside of a transaction throw what the driver throws
 */
export function troubleOf(error: unknown, label: string): CodedError | undefined {
  const coded = error instanceof CodedError ? error : stateError(error, label);
  return coded.code === 'INTERNAL' ? undefined : coded;
}

/** The neighbour that a failure is about; the next poll that succeeds clears its conditions. */
export const subjectOf = (trouble: CodedError): 'source' | 'state' | 'daemon' =>
  trouble instanceof SourceError ? 'source' : trouble instanceof StateError ? 'state' : 'daemon';

/** What is wrong with a neighbour as a whole; over when a poll (and, for the own tables, a write) succeeds. */
export const sourceTroubles = ['SOURCE_UNREACHABLE', 'SOURCE_TLS', 'SOURCE_SCHEMA', 'SOURCE_PRIVILEGE', 'SOURCE_QUERY'] as const;
export const stateTroubles = ['STATE_UNREACHABLE', 'STATE_TLS', 'STATE_PRIVILEGE', 'STATE_NOT_WRITABLE', 'STATE_TABLES_GONE'] as const;

const away: ReadonlySet<ErrorCode> = new Set(['SOURCE_UNREACHABLE', 'SOURCE_TLS', ...stateTroubles]);

/** Raises the condition when a neighbour is away; false for any other trouble. */
export function raiseAway(conditions: Conditions, trouble: CodedError | undefined): boolean {
  if (trouble === undefined || !away.has(trouble.code)) return false;
  conditions.raise(trouble.code, subjectOf(trouble), trouble.message, 'error');
  return true;
}
