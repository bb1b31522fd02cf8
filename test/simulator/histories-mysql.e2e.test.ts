import { mixedSuite, realSuite, seedsFrom } from './realsuite.ts';

await realSuite('mysql', seedsFrom(1_000_000, 6));
await mixedSuite('mysql', 5_000_000, 1);
