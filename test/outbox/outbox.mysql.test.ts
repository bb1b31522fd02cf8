import { outboxSuite } from './outboxsuite.ts';

await outboxSuite('mysql');
