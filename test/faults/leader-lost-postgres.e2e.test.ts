import { leaderSuite } from './leadersuite.ts';

await leaderSuite('postgres', 4_000);
