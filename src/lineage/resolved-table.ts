// Facts of a table out of the `resolvedTable` of a plan (permanent tables only; the others stand in the script's facts).
import type { ColumnFacts, TableFacts, TablePath } from '../plan/plan.ts';
import { isObject } from './compiled-plan.ts';

/** Facts of the table at `path`; what the plan does not say is empty. */
export function resolvedFacts(path: TablePath, resolved: unknown): TableFacts {
  const table = isObject(resolved) ? resolved : {};
  const schema = isObject(table['schema']) ? table['schema'] : {};
  const primaryKey = isObject(schema['primaryKey']) ? schema['primaryKey']['columns'] : undefined;
  return {
    path,
    temporary: false,
    options: optionsOf(table),
    columns: list(schema['columns']).flatMap(column),
    primaryKey: texts(primaryKey),
    partitionKeys: texts(table['partitionKeys']),
    ...(typeof table['comment'] === 'string' ? { comment: table['comment'] } : {}),
  };
}

/** The string options of a resolved table; undefined when the plan was written without them. */
export const writtenOptions = (resolved: unknown): Readonly<Record<string, string>> | undefined =>
  isObject(resolved) && isObject(resolved['options']) ? optionsOf(resolved) : undefined;

function optionsOf(table: Readonly<Record<string, unknown>>): Record<string, string> {
  const options = isObject(table['options']) ? table['options'] : {};
  return Object.fromEntries(Object.entries(options).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

function column(value: unknown): ColumnFacts[] {
  if (!isObject(value) || typeof value['name'] !== 'string') return [];
  const kind = value['kind'] === 'COMPUTED' ? 'computed' : value['kind'] === 'METADATA' ? 'metadata' : 'physical';
  const expression = isObject(value['expression']) && isObject(value['expression']['rexNode']) ? value['expression']['rexNode'] : {};
  const type = typeText(kind === 'computed' ? expression['type'] : value['dataType']);
  return [{ name: value['name'], type, kind, ...(typeof value['comment'] === 'string' ? { comment: value['comment'] } : {}) }];
}

/** A type is a text, or an object where a text cannot say it all (time attributes, structured types). */
const typeText = (type: unknown): string => {
  if (typeof type === 'string') return type;
  return isObject(type) && typeof type['type'] === 'string' ? type['type'] : 'UNKNOWN';
};

const list = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const texts = (value: unknown): string[] => list(value).filter((item): item is string => typeof item === 'string');
