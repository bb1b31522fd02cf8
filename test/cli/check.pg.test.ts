import { checkSuite } from './checksuite.ts';

await checkSuite('postgres');
