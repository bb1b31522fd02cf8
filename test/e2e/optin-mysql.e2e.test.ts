import { optInSuite } from './optinsuite.ts';

await optInSuite('mysql');
