import { migrateSuite } from './migratesuite.ts';

await migrateSuite('mysql');
