import { secretSuite } from './secretsuite.ts';

await secretSuite('mysql');
