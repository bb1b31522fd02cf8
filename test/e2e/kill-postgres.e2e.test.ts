import { killSuite } from './killsuite.ts';

await killSuite('postgres');
