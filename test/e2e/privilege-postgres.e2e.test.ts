import { privilegeSuite } from './privilegesuite.ts';

await privilegeSuite('postgres');
