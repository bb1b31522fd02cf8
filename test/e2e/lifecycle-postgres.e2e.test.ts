import { lifecycleSuite } from './lifecyclesuite.ts';

await lifecycleSuite('postgres');
