// With the lease as long as it is in the program.
import { leaseTtlMs } from '../../src/daemon/lease.ts';
import { leaderSuite } from './leadersuite.ts';

await leaderSuite('postgres', leaseTtlMs);
await leaderSuite('mysql', leaseTtlMs);
