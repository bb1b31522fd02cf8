import { tablesSuite } from './tablessuite.ts';

await tablesSuite('mysql');
