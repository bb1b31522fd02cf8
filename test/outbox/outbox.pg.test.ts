import { outboxSuite } from './outboxsuite.ts';

await outboxSuite('postgres');
