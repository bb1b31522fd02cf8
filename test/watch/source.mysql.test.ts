import { sourceSuite } from './source.suite.ts';

await sourceSuite('mysql', 'mysql-dev', 'mysql-2.1.7');
