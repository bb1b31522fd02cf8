import { jarSuite } from './jarsuite.ts';

await jarSuite('postgres');
