import { upgradeSuite } from './upgradesuite.ts';

await upgradeSuite('mysql');
