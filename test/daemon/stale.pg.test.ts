// A poll that hangs fails nowhere: that none ends is all there is to see of it.
import pg from 'pg';
import { expect, it, vi } from 'vitest';
import { errorCatalogue } from '../../src/errors/errors.ts';
import type { Readiness } from '../../src/ops/ops.ts';
import { noPlanner, ownTablesOf, startTestDaemon } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { openSmallConsole, realClock } from '../support/smallconsole.ts';
import { until } from '../support/until.ts';

const suite = await requireServer('postgres');

suite('a poll behind a lock', () => {
  it('is POLL_STALE after a minute, with its cure, and ready again when the lock is gone', async () => {
    const console = await openSmallConsole('postgres', realClock());
    const { url } = console.database;
    const daemon = startTestDaemon({
      database: console.database,
      schema: ownTablesOf(console.database).schema,
      planner: noPlanner(),
      // The server ends no statement while this test lasts.
      statementTimeoutMs: 110_000,
      env: { GRAVITINO_ADDRESS: 'http://127.0.0.1:9', POLL_INTERVAL: '200ms' },
    });
    const other = new pg.Client(url);
    await other.connect();
    const end = daemon.run();
    const inAMinute = () => {
      const now = performance.now.bind(performance);
      const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 61_000);
      try {
        return daemon.daemon.readiness();
      } finally {
        later.mockRestore();
      }
    };
    const stale = ({ ready, reasons }: Readiness) => [ready, reasons.filter(({ code }) => code === 'POLL_STALE')];
    try {
      await until('polls', () => daemon.daemon.readiness().ready);
      await other.query('begin; lock table t_flink_app in access exclusive mode');
      await until('a poll waits for the lock', async () => {
        const { rows } = await other.query(
          "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
        );
        return rows.length > 0;
      });
      expect(stale(daemon.daemon.readiness())).toEqual([true, []]);
      expect(inAMinute()).toMatchObject({
        ready: false,
        role: 'leader',
        reasons: expect.arrayContaining([
          { code: 'POLL_STALE', message: expect.stringMatching(/^no poll has ended for 6\d s$/), cure: errorCatalogue.POLL_STALE.cure },
        ]),
      });
      const polls = async () => (await daemon.metrics.polls.get()).values.reduce((sum, { value }) => sum + value, 0);
      const before = await polls();
      await other.query('rollback');
      await until('another poll', async () => (await polls()) > before);
      expect(stale(daemon.daemon.readiness())).toEqual([true, []]);
    } finally {
      await other.end();
      await end();
      await console.drop();
    }
  });
});
