// Identifiers of a CompiledPlan: three parts in back-ticks, back-ticks inside doubled.
import type { TablePath } from '../plan/plan.ts';

const part = '`((?:[^`]|``)*)`';
const pattern = new RegExp(`^${part}\\.${part}\\.${part}$`);

/** Reads `` `catalog`.`database`.`table` ``; undefined for any other text. */
export function parseIdentifier(text: string): TablePath | undefined {
  const match = pattern.exec(text);
  if (match === null) return undefined;
  const [catalog = '', database = '', table = ''] = match.slice(1).map((name) => name.replaceAll('``', '`'));
  return [catalog, database, table];
}
