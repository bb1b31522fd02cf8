import { upgradeSuite } from './upgradesuite.ts';

await upgradeSuite('postgres');
