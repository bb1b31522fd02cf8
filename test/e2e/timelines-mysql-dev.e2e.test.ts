import { timelineSuite } from './timelinesuite.ts';

timelineSuite('mysql-dev');
