import { timelineSuite } from './timelinesuite.ts';

timelineSuite('mysql-2.1.7');
