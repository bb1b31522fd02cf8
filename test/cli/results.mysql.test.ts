import { resultSuite } from './resultsuite.ts';

await resultSuite('mysql');
