import { takeoverSuite } from './takeoversuite.ts';

await takeoverSuite('mysql');
