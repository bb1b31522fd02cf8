import { optInSuite } from './suite.ts';

await optInSuite('postgres');
