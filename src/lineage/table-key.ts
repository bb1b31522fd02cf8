// One table in one use: the same path may be read with different hints.
import type { TableFacts } from '../plan/plan.ts';

/** Equal for two facts of the same table with the same options. */
export const tableKey = ({ path, options }: TableFacts): string => JSON.stringify([path, Object.entries(options).sort()]);
