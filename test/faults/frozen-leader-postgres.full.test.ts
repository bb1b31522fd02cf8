import { frozenLeaderSuite } from './frozenleadersuite.ts';

await frozenLeaderSuite('postgres');
