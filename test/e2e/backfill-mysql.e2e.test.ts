import { backfillSuite } from './backfillsuite.ts';

await backfillSuite('mysql');
