// A few of the points; all of them in kill-at-commits.full.test.ts.
import { killPointSuite } from './killpointsuite.ts';

await killPointSuite('postgres', () => [
  { name: 'checkpoint+run', nth: 2, when: 'before' },
  { name: 'outbox+run', nth: 3, when: 'after' },
  { name: 'post', nth: 4, when: 'after' },
  { name: 'outbox', nth: 1, when: 'before' },
]);
