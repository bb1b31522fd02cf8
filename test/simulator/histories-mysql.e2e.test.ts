import { realSuite, seedsFrom } from './realsuite.ts';

await realSuite('mysql', seedsFrom(1_000_000, 6));
