// What `apps` and `check` say of each application: the real daemon works, lineage server and planner are in trouble.
import { expect, it } from 'vitest';
import { listApps } from '../../src/cli/apps/list.ts';
import { type AppResult, resultsOf } from '../../src/cli/apps/results.ts';
import { applicationResults } from '../../src/cli/check/applications.ts';
import { resultLines } from '../../src/cli/check/result.ts';
import { errorCatalogue } from '../../src/errors/errors.ts';
import { openState } from '../../src/state/state.ts';
import { type AppKey, openSource } from '../../src/watch/watch.ts';
import { copyScript, inScene } from '../e2e/scene.ts';
import { noPlanner } from '../support/daemon.ts';
import { requireServer, type TestFamily } from '../support/databases.ts';
import { jobId } from '../support/smallconsole.ts';
import { until } from '../support/until.ts';

const jar = { columns: { job_type: 1 } };
const at = expect.stringMatching(/^20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);

/** Declares the tests for one family. */
export async function resultSuite(family: TestFamily): Promise<void> {
  const suite = await requireServer(family);
  suite(`the last success and the last error of each application, on ${family}`, () => {
    it('are those of the daemon: delivered, refused, waiting, without a plan', async () => {
      await inScene({ family, planner: noPlanner() }, async ({ console, receiver, own, poll }) => {
        const { url } = console.database;
        const state = await openState({ url, schema: own.schema });
        const source = openSource({ source: { url, schema: 'public' }, optIn: 'column' });
        const results = () => resultsOf(state.database.db, console.clock.now);
        const of = async (id: number): Promise<AppResult | undefined> => (await results()).get(`flink:${id}` as AppKey);
        try {
          await console.app({ id: 1, name: 'well', ...jar });
          await console.app({ id: 2, name: 'refused', ...jar });
          await console.app({ id: 3, name: 'gone' });
          await console.app({ id: 4, name: 'unplanned', script: copyScript('a', 'b') });
          await console.app({ id: 5, name: 'quiet', ...jar });
          await poll();
          expect([...(await results())]).toEqual([]);

          await console.run(1, jobId(1));
          await poll();
          expect(await of(1)).toEqual({
            lastResult: expect.stringMatching(/^RUNNING 2026-10-01T\S+ \(attempt 1\)/),
            lastDelivered: { at, type: 'RUNNING', destination: 'gravitino' },
            lastError: null,
          });

          receiver.behave({ kind: 'status', status: 400, body: 'no such job' });
          await console.run(2, jobId(2));
          await poll();
          receiver.behave({ kind: 'take' });
          expect((await of(2))?.lastDelivered).toBeNull();
          expect((await of(2))?.lastError).toEqual({
            code: 'TRANSPORT_REFUSED',
            message: expect.stringMatching(/^gravitino: .*400/),
            cure: errorCatalogue.TRANSPORT_REFUSED.cure,
            at,
          });

          await console.run(3, jobId(3));
          await console.run(4, jobId(4));
          await poll();
          expect((await of(3))?.lastError).toMatchObject({ code: 'SQL_GONE', cure: errorCatalogue.SQL_GONE.cure, at });
          expect((await of(3))?.lastDelivered).toMatchObject({ type: 'RUNNING' });
          // A moment of waiting is none.
          expect(await of(4)).toMatchObject({ lastDelivered: null, lastError: null });
          await poll(60_000);
          expect((await of(4))?.lastError).toMatchObject({ code: 'PLANNER_UNAVAILABLE', at });

          // Beside an error there is what went well before.
          receiver.behave({ kind: 'status', status: 503 });
          await console.ended(1, 10);
          await poll();
          expect(await of(1)).toMatchObject({ lastDelivered: { type: 'RUNNING' }, lastError: { code: 'TRANSPORT_LATER', at } });

          const out: string[] = [];
          const err: string[] = [];
          const list = (json: boolean) => {
            const said = { out: (line: string) => void out.push(line), err: (line: string) => void err.push(line) };
            return listApps({ team: undefined, all: false, json }, { source, optIn: 'column', results, ...said });
          };
          await list(true);
          expect(JSON.parse(out[0] ?? '')).toEqual([
            expect.objectContaining({ app: 'flink:1', lastResult: expect.stringContaining('COMPLETE'), ...(await of(1)) }),
            expect.objectContaining({ app: 'flink:2', ...(await of(2)) }),
            expect.objectContaining({ app: 'flink:3', ...(await of(3)) }),
            expect.objectContaining({ app: 'flink:4', ...(await of(4)) }),
            expect.objectContaining({ app: 'flink:5', lastResult: null, lastDelivered: null, lastError: null }),
          ]);
          out.length = 0;
          err.length = 0;
          await list(false);
          const lineOf = (id: number) => out.find((line) => line.startsWith(`flink:${id} `)) ?? '';
          expect(lineOf(1)).toMatch(/COMPLETE 2026-\S+ \(attempt 1\).* {2}RUNNING 2026-\S+ +TRANSPORT_LATER 2026-\S+$/);
          expect(lineOf(4)).toMatch(/ {2}- +PLANNER_UNAVAILABLE 2026-\S+$/);
          expect(lineOf(5)).toMatch(/ - +- +-$/);
          for (const code of ['PLANNER_UNAVAILABLE', 'SQL_GONE', 'TRANSPORT_LATER', 'TRANSPORT_REFUSED'] as const) {
            expect(err.filter((line) => line.startsWith(`${code}: `) && line.endsWith(errorCatalogue[code].cure))).toHaveLength(1);
          }

          const checked = resultLines(applicationResults(await source.listApps(), await results()));
          expect(checked.map((line) => line.split(/\s+/).slice(0, 4).join(' '))).toEqual([
            'warn application: flink:1 TRANSPORT_LATER:',
            'warn application: flink:2 TRANSPORT_REFUSED:',
            'warn application: flink:3 SQL_GONE:',
            'warn application: flink:4 PLANNER_UNAVAILABLE:',
            'ok application: flink:5 nothing',
          ]);
          expect(checked[0]).toMatch(/last delivered: RUNNING \S+ to gravitino; last error: \S+ gravitino: .*503.* -> /);

          // What is over is no error any more.
          receiver.behave({ kind: 'take' });
          await until('delivery', async () => {
            await poll(60_000);
            return (await of(1))?.lastError === null;
          });
          expect((await of(1))?.lastDelivered).toMatchObject({ type: 'COMPLETE' });
        } finally {
          await source.close();
          await state.close();
        }
      });
    });

    it('of many applications: those with an error first, then some of the others, and a count', () => {
      const applications = Array.from({ length: 100 }, (_, n) => ({
        ...{ engine: 'flink' as const, id: String(n), name: '', teamId: null, teamName: null, state: 0, jobType: 2 },
        ...{ optIn: true, lineageEnable: true, rule: 'column' as const },
      }));
      const lastError = { code: 'PLAN_PARSE' as const, message: 'm', cure: 'c', at: 't' };
      const results = new Map([['flink:99' as AppKey, { lastResult: null, lastDelivered: null, lastError }]]);
      const found = applicationResults(applications, results);
      expect(found).toHaveLength(22);
      expect([found[0]?.what, found[1]?.what, found[21]?.detail]).toEqual([
        'application: flink:99',
        'application: flink:0',
        '79 more applications; `streampark-lineage apps` lists all',
      ]);
    });
  });
}
