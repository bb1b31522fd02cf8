import { backfillKillSuite } from './backfillkillsuite.ts';

await backfillKillSuite('postgres');
