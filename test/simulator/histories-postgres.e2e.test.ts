import { mixedSuite, realSuite, seedsFrom } from './realsuite.ts';

await realSuite('postgres', seedsFrom(2_000_000, 6));
await mixedSuite('postgres', 6_000_000, 1);
