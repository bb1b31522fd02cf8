import { backfillSuite } from './backfillsuite.ts';

await backfillSuite('postgres');
