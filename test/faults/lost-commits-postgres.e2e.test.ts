import { lostCommitSuite } from './lostcommitsuite.ts';

await lostCommitSuite('postgres');
