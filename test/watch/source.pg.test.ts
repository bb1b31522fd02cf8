import { sourceSuite } from './source.suite.ts';

await sourceSuite('postgres', 'postgres-dev', 'postgres-2.1.7');
