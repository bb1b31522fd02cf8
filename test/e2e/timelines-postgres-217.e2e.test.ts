import { timelineSuite } from './timelinesuite.ts';

timelineSuite('postgres-2.1.7');
