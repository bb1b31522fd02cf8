import { realSuite, seedsFrom } from './realsuite.ts';

await realSuite('postgres', seedsFrom(2_000_000, 6));
