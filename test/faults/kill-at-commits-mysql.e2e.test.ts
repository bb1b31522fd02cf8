// A few of the points; all of them in kill-at-commits.full.test.ts.
import { killPointSuite } from './killpointsuite.ts';

await killPointSuite('mysql', () => [
  { name: 'checkpoint+run', nth: 2, when: 'after' },
  { name: 'outbox+run', nth: 3, when: 'before' },
  { name: 'post', nth: 4, when: 'before' },
  { name: 'outbox', nth: 1, when: 'after' },
]);
