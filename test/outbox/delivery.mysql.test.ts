import { deliverySuite } from './deliverysuite.ts';

await deliverySuite('mysql');
