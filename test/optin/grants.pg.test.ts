import { grantSuite } from './grantsuite.ts';

await grantSuite('postgres');
