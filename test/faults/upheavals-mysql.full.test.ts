import { upheavalSuite } from './upheavalsuite.ts';

await upheavalSuite('mysql');
