import { injectionSuite } from './suite.ts';

await injectionSuite('mysql');
