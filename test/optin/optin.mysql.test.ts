import { optInSuite } from './suite.ts';

await optInSuite('mysql');
