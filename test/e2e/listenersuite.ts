// Listener properties through the whole daemon on a real database; run per database by listener-*.e2e.test.ts.
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Planner } from '../../src/plan/plan.ts';
import { warmPlanner } from '../support/daemon.ts';
import { requireServer } from '../support/databases.ts';
import { jobId } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { copyScript, inScene, type Scene } from './scene.ts';

export async function listenerSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  let planner: Planner;
  beforeAll(async () => {
    planner = await warmPlanner();
  });
  afterAll(() => planner?.stop());

  /** Both tables as they stand, without the column of this program. */
  const dump = async ({ console }: Scene) => {
    const rows = await Promise.all(['t_flink_app', 't_spark_app'].map((t) => console.database.query(`select * from ${t} order by id`)));
    return JSON.stringify(rows);
  };
  const sparkApp = (scene: Scene) =>
    scene.console.insert('t_spark_app', {
      id: 7,
      app_name: 'etl',
      state: 7,
      option_state: 0,
      create_time: '2026-01-01 10:00:00',
      app_properties: '--conf spark.executor.cores=4',
      lineage_enable: true,
    });
  const sparkText = async ({ console }: Scene) => {
    const [row] = (await console.database.query('select app_properties as p from t_spark_app')) as { p: string }[];
    return row?.p;
  };

  suite(`listener properties on ${family}`, () => {
    it.each([
      ['they are enabled', {}],
      ['an address is there', { address: false as const, env: { INJECTION_ENABLED: 'true' } }],
    ])('nothing is written in a day unless %s, whatever the applications do', async (_, options) => {
      await inScene({ family, planner, ...options }, async (scene) => {
        const { console } = scene;
        const untouched = async (afterMs?: number) => {
          const before = await dump(scene);
          await scene.poll(afterMs);
          expect(await dump(scene)).toBe(before);
        };
        await console.app({ id: 1, name: 'orders', script: copyScript('a', 'b') });
        await sparkApp(scene);
        for (let hour = 0; hour < 24; hour += 1) {
          await untouched(3_600_000);
          await console.run(1, jobId(hour + 1));
          await untouched();
          await console.ended(1, 10);
          await untouched();
        }
      });
    });

    it('are written once an address is there, and taken back when it goes', async () => {
      await inScene({ family, planner, address: false, env: { INJECTION_ENABLED: 'true' } }, async (scene) => {
        const { console, poll, receiver, daemon } = scene;
        await sparkApp(scene);
        await poll(60_000);
        expect(await sparkText(scene)).toBe('--conf spark.executor.cores=4');
        await console.setting('lineage.gravitino.address', receiver.url);
        await console.setting('lineage.gravitino.token', 'canary-token-1');
        await poll(60_000);
        expect((await sparkText(scene))?.split('\n')).toEqual([
          '--conf spark.executor.cores=4',
          '--conf spark.extraListeners=io.openlineage.spark.agent.OpenLineageSparkListener',
          '--conf spark.openlineage.transport.type=http',
          `--conf spark.openlineage.transport.url=${receiver.url}`,
          '--conf spark.openlineage.transport.endpoint=/api/lineage',
          '--conf spark.openlineage.namespace=streampark',
          '--conf spark.openlineage.appName=etl',
          '--conf spark.openlineage.columnLineage.datasetLineageEnabled=true',
          '--conf spark.openlineage.capturedProperties=spark.master,spark.app.name,spark.app.id',
        ]);
        await scene.restart();
        await poll(60_000);
        const lines = () => [...daemon.lines, ...scene.daemon.lines].map((line) => line.msg).filter((msg) => msg.startsWith('listener'));
        expect(lines()).toEqual(['listener properties written']);
        await console.setting('lineage.gravitino.address', null);
        await poll(60_000);
        await poll(60_000);
        expect(await sparkText(scene)).toBe('--conf spark.executor.cores=4');
        expect(lines()).toEqual(['listener properties written', 'listener properties taken back']);
        expect(daemon.text() + scene.daemon.text()).not.toContain('canary-token-1');
      });
    });
  });
}
