import { listenerSuite } from './listenersuite.ts';

await listenerSuite('postgres');
