import { databaseFaultSuite } from './databasefaultsuite.ts';

await databaseFaultSuite('mysql');
