import { sparkSqlSuite } from './sparksqlsuite.ts';

await sparkSqlSuite('mysql');
