import { sparkSqlSuite } from './sparksqlsuite.ts';

await sparkSqlSuite('postgres');
