import { jarSuite } from './jarsuite.ts';

await jarSuite('mysql');
