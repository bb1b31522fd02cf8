import { upheavalSuite } from './upheavalsuite.ts';

await upheavalSuite('postgres');
