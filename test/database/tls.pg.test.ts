import { tlsSuite } from './tlssuite.ts';

tlsSuite('postgres');
