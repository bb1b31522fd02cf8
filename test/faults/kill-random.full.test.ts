import { killRandomSuite } from './killrandomsuite.ts';

await killRandomSuite('postgres', 300);
await killRandomSuite('mysql', 300);
