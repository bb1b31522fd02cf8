import { privilegeSuite } from './privilegesuite.ts';

await privilegeSuite('mysql');
