import { storesSuite } from './storessuite.ts';

await storesSuite('mysql');
