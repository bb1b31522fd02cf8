import { serverFaultSuite } from './serverfaultsuite.ts';

serverFaultSuite('postgres');
serverFaultSuite('mysql');
