import { optInSuite } from './optinsuite.ts';

await optInSuite('postgres');
