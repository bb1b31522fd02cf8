import { tlsSuite } from './tlssuite.ts';

tlsSuite('mysql');
