import { proxySuite } from './proxysuite.ts';

await proxySuite('postgres');
