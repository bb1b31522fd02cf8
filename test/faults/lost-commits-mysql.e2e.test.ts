import { lostCommitSuite } from './lostcommitsuite.ts';

await lostCommitSuite('mysql');
