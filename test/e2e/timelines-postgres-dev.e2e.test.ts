import { timelineSuite } from './timelinesuite.ts';

timelineSuite('postgres-dev');
