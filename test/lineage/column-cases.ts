// All INSERTs with hand-written columns.
import type { ColumnCase } from './column-cases/case.ts';
import { expressions } from './column-cases/expressions.ts';
import { filters, pruned } from './column-cases/filters.ts';
import { groups } from './column-cases/groups.ts';
import { joins } from './column-cases/joins.ts';
import { batch, sets, sinks } from './column-cases/sinks.ts';

export { type ColumnCase, tables } from './column-cases/case.ts';

export const columnCases: readonly ColumnCase[] = [
  ...expressions,
  ...filters,
  ...pruned,
  ...joins,
  ...groups,
  ...sets,
  ...sinks,
  ...batch.map((each) => ({ ...each, mode: 'batch' as const })),
];
