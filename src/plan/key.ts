// The key under which the outcome of a script is cached: keyed, because scripts contain secrets that could be guessed from a
// plain hash.
import { createHmac } from 'node:crypto';
import { catalogAddress } from '../settings/settings.ts';
import type { PreparedScript } from './script.ts';

/**
 * HMAC-SHA256 (64 hex digits) over everything that decides what the planner answers.
 * @param plannerBuild `Planner.build`; names the worker with its Flink version and its fixed settings
 * @param hmacKey key of this installation
 */
export function planKey(prepared: PreparedScript, plannerBuild: string, hmacKey: string | Uint8Array): string {
  const { storedText, text, statements, mode, catalog, database, options, prelude, functions, catalogs, inferColumns } = prepared;
  const content = JSON.stringify([
    plannerBuild,
    mode,
    catalog,
    database,
    Object.entries(options).sort(([a], [b]) => (a < b ? -1 : 1)),
    storedText,
    text,
    statements.map((s) => [s.text, s.line, s.column]),
    prelude.map((s) => s.text),
    Object.entries(functions).sort(([a], [b]) => (a < b ? -1 : 1)),
    inferColumns,
    // credentials change what may be read, not what is there
    ...catalogs.map((entry) => [entry.catalog, entry.type, catalogAddress(entry), 'warehouse' in entry ? entry.warehouse : undefined]),
  ]);
  return createHmac('sha256', hmacKey).update(content).digest('hex');
}
