// Listener properties in rows of a real database; run by injection.mysql.test.ts and injection.pg.test.ts.
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type InjectionPlan, injectRound, type Outcome } from '../../src/injection/injection.ts';
import { listInjections } from '../../src/state/state.ts';
import { type AppKey, openSource, type Source } from '../../src/watch/watch.ts';
import { openTestState, type TestState } from '../state/open.ts';
import { requireServer } from '../support/databases.ts';
import { type Family, smallDatabase, type TestDatabase } from '../support/streampark.ts';

const plan: InjectionPlan = {
  spark: true,
  flink: true,
  target: { url: 'http://gravitino:8090', endpoint: '/api/lineage', namespace: 'streampark', token: undefined },
  jars: { packages: undefined, jars: undefined },
};

const sparkText = (listeners = 'io.openlineage.spark.agent.OpenLineageSparkListener', name = 'etl') =>
  [
    `--conf spark.extraListeners=${listeners}`,
    '--conf spark.openlineage.transport.type=http',
    '--conf spark.openlineage.transport.url=http://gravitino:8090',
    '--conf spark.openlineage.transport.endpoint=/api/lineage',
    '--conf spark.openlineage.namespace=streampark',
    `--conf spark.openlineage.appName=${name}`,
    '--conf spark.openlineage.columnLineage.datasetLineageEnabled=true',
    '--conf spark.openlineage.capturedProperties=spark.master,spark.app.name,spark.app.id',
  ].join('\n');

export async function injectionSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`listener properties on ${family}`, () => {
    let database: TestDatabase;
    let state: TestState;
    let source: Source;
    const yes = family === 'mysql' ? '1' : 'true';

    beforeAll(async () => {
      database = await smallDatabase(family);
      state = await openTestState(family);
      source = openSource({ source: { url: database.url, schema: 'public' }, optIn: 'column' });
    });
    afterAll(async () => {
      await source.close();
      await state.drop();
      await database.drop();
    });
    afterEach(async () => {
      await database.query(
        'delete from t_spark_app; delete from t_flink_app; delete from t_flink_env; delete from t_spark_env; delete from t_spark_effective; delete from t_spark_config',
      );
      await state.state.database.db.deleteFrom('injection').execute();
    });

    const spark = (id: number, properties: string | null, more = '') =>
      database.query(`insert into t_spark_app (id, app_name, state, option_state, create_time, app_properties, lineage_enable)
        values (${id}, 'etl', 7, 0, '2026-01-01 10:00:00', ${properties === null ? 'null' : `'${properties}'`}, ${yes})${more}`);
    const flink = (id: number, properties: string | null, version: string) =>
      database.query(`insert into t_flink_env (id, version, is_default) values (${id}, '${version}', ${yes});
        insert into t_flink_app (id, job_name, state, option_state, version_id, create_time, dynamic_properties, lineage_enable)
        values (${id}, 'job', 0, 0, ${id}, '2026-01-01 10:00:00', ${properties === null ? 'null' : `'${properties}'`}, ${yes})`);
    const textOf = async (engine: 'flink' | 'spark', id: number) => (await source.readProperties(engine, [String(id)]))[0]?.properties;
    const round = async (apps: string[], given: InjectionPlan | null = plan, dryRun = false, from = source): Promise<Outcome[]> =>
      injectRound({
        source: from,
        written: await listInjections(state.state.database.db),
        transaction: state.state.transaction,
        now: Date.now,
        plan: given,
        apps: apps as AppKey[],
        dryRun,
      });
    const actions = (outcomes: Outcome[]) => outcomes.map(({ app, action }) => `${app} ${action}`);

    test('are written beside those of the user, stand, and are taken back exactly', async () => {
      await spark(1, '--conf spark.executor.cores=4');
      await spark(2, null);
      expect(actions(await round(['spark:1', 'spark:2'], plan, true))).toEqual(['spark:1 written', 'spark:2 written']);
      expect(await textOf('spark', 1)).toBe('--conf spark.executor.cores=4');
      expect(actions(await round(['spark:1', 'spark:2']))).toEqual(['spark:1 written', 'spark:2 written']);
      expect(await textOf('spark', 1)).toBe(`--conf spark.executor.cores=4\n${sparkText()}`);
      expect(await textOf('spark', 2)).toBe(sparkText());
      expect(actions(await round(['spark:1', 'spark:2']))).toEqual(['spark:1 stands', 'spark:2 stands']);
      // Opted out: only the other stays.
      expect(actions(await round(['spark:2']))).toEqual(['spark:1 takenBack', 'spark:2 stands']);
      expect(await textOf('spark', 1)).toBe('--conf spark.executor.cores=4');
      expect(actions(await round([], null))).toEqual(['spark:2 takenBack']);
      expect(await textOf('spark', 2)).toBeNull();
      expect(await listInjections(state.state.database.db)).toEqual([]);
    });

    test("join the user's listeners and never override a key that he set, wherever he set it", async () => {
      await spark(1, '--conf spark.extraListeners=com.example.A --conf spark.openlineage.namespace=mine');
      await spark(2, '--conf spark.openlineage.transport.type=kafka');
      await spark(3, '--conf spark.extraListeners=io.openlineage.spark.agent.OpenLineageSparkListener');
      await database.query(
        `insert into t_spark_env (id, version, spark_conf, is_default) values (1, '3.5.1', 'spark.openlineage.appName   fixed', ${yes})`,
      );
      const outcomes = await round(['spark:1', 'spark:2', 'spark:3']);
      expect(actions(outcomes)).toEqual(['spark:1 written', 'spark:2 written', 'spark:3 nothing']);
      expect(outcomes[0]?.added).toEqual([
        'spark.extraListeners=com.example.A,io.openlineage.spark.agent.OpenLineageSparkListener',
        'spark.openlineage.transport.type=http',
        'spark.openlineage.transport.url=http://gravitino:8090',
        'spark.openlineage.transport.endpoint=/api/lineage',
        'spark.openlineage.columnLineage.datasetLineageEnabled=true',
        'spark.openlineage.capturedProperties=spark.master,spark.app.name,spark.app.id',
      ]);
      expect(outcomes[1]?.added).toEqual([
        'spark.extraListeners=io.openlineage.spark.agent.OpenLineageSparkListener',
        'spark.openlineage.namespace=streampark',
        'spark.openlineage.columnLineage.datasetLineageEnabled=true',
        'spark.openlineage.capturedProperties=spark.master,spark.app.name,spark.app.id',
      ]);
      await round([], null);
      expect(await textOf('spark', 1)).toBe('--conf spark.extraListeners=com.example.A --conf spark.openlineage.namespace=mine');
    });

    test("a user's edit is his for ever; what is still ours follows the settings and goes", async () => {
      await spark(1, null);
      await round(['spark:1']);
      const edited = sparkText().replace('namespace=streampark', 'namespace=mine').replace('--conf spark.openlineage.appName=etl\n', '');
      await database.query(`update t_spark_app set app_properties = '${edited} --conf spark.executor.cores=2' where id = 1`);
      for (let i = 0; i < 3; i++) await round(['spark:1']);
      expect(await textOf('spark', 1)).toBe(`${edited} --conf spark.executor.cores=2`);
      const moved = { ...plan, target: { ...plan.target, url: 'http://other:8090', namespace: 'changed' } };
      await round(['spark:1'], moved);
      const text = await textOf('spark', 1);
      expect(text).toContain('transport.url=http://other:8090');
      expect(text).toContain('namespace=mine');
      expect(text).not.toContain('appName');
      await round([], null);
      expect(await textOf('spark', 1)).toBe('--conf spark.openlineage.namespace=mine --conf spark.executor.cores=2');
    });

    test('a text that the console wrote back is put again, but not for ever', async () => {
      await spark(1, '--conf a=1');
      for (let i = 0; i < 3; i++) {
        expect(actions(await round(['spark:1']))).toEqual(['spark:1 written']);
        await database.query(`update t_spark_app set app_properties = '--conf a=1' where id = 1`);
      }
      for (let i = 0; i < 3; i++) expect(actions(await round(['spark:1']))).toEqual(['spark:1 nothing']);
      expect(await textOf('spark', 1)).toBe('--conf a=1');
    });

    test('nothing is written while the console is at work on the row, or when the row has changed', async () => {
      await spark(1, null);
      for (const busy of ['state = 3', 'state = 13', 'state = 7, option_state = 3']) {
        await database.query(`update t_spark_app set ${busy} where id = 1`);
        expect(actions(await round(['spark:1'])), busy).toEqual(['spark:1 waiting']);
        expect(await textOf('spark', 1)).toBeNull();
      }
      await database.query('update t_spark_app set state = 7, option_state = 0 where id = 1');
      // Another case of the same letters is another text, whatever the collation says.
      const stale = (properties: string): Source => ({
        ...source,
        readProperties: async (engine, ids) => (await source.readProperties(engine, ids)).map((row) => ({ ...row, properties })),
      });
      await database.query(`update t_spark_app set app_properties = 'a' where id = 1`);
      const [outcome] = await round(['spark:1'], plan, false, stale('A'));
      // 'A' alone is no property text that may be appended to.
      expect(outcome?.action).toBe('blocked');
      await database.query(`update t_spark_app set app_properties = 'a=1' where id = 1`);
      const [second] = await round(['spark:1'], plan, false, stale('A=1'));
      expect(second).toMatchObject({ action: 'waiting', reason: 'the row changed meanwhile' });
      expect(await textOf('spark', 1)).toBe('a=1');
      expect(await listInjections(state.state.database.db)).toEqual([]);
    });

    test('a text of which the console drops a piece is left alone', async () => {
      await spark(1, '--conf a=1\n');
      expect(await round(['spark:1'])).toMatchObject([{ action: 'blocked', added: [], removed: [] }]);
      expect(await textOf('spark', 1)).toBe('--conf a=1\n');
    });

    test('Flink gets its own, from 1.19 on and only without listeners of its own', async () => {
      await flink(1, null, '1.18.1');
      await flink(2, '-Dparallelism.default=2', '2.0.0');
      await flink(3, '-Dexecution.job-status-changed-listeners=com.example.L', '2.0.0');
      expect(actions(await round(['flink:1', 'flink:2', 'flink:3']))).toEqual(['flink:1 nothing', 'flink:2 written', 'flink:3 nothing']);
      expect(await textOf('flink', 2)).toBe(
        [
          '-Dparallelism.default=2',
          '-Dexecution.job-status-changed-listeners=io.openlineage.flink.listener.OpenLineageJobStatusChangedListenerFactory',
          '-Dopenlineage.transport.type=http',
          '-Dopenlineage.transport.url=http://gravitino:8090',
          '-Dopenlineage.transport.endpoint=/api/lineage',
          '-Dopenlineage.job.namespace=streampark',
        ].join('\n'),
      );
      expect(actions(await round(['flink:2'], { ...plan, flink: false }))).toEqual(['flink:2 takenBack']);
      expect(await textOf('flink', 2)).toBe('-Dparallelism.default=2');
    });

    test('a token is written only when asked for, and never shown', async () => {
      await spark(1, null);
      const [outcome] = await round(['spark:1'], { ...plan, target: { ...plan.target, token: 's3cr3t-token' } });
      expect(await textOf('spark', 1)).toContain('spark.openlineage.transport.auth.apiKey=s3cr3t-token');
      expect(JSON.stringify(outcome)).not.toContain('s3cr3t');
      expect(outcome?.added).toContain('spark.openlineage.transport.auth.apiKey=***');
    });

    test('an application that was deleted is forgotten, an empty read proves nothing', async () => {
      await spark(1, null);
      await spark(2, null);
      await round(['spark:1', 'spark:2']);
      await database.query('delete from t_spark_app where id = 1');
      await round(['spark:2']);
      expect((await listInjections(state.state.database.db)).map((one) => one.appId)).toEqual(['2']);
      await database.query('delete from t_spark_app');
      await round(['spark:2']);
      expect((await listInjections(state.state.database.db)).map((one) => one.appId)).toEqual(['2']);
    });
  });
}
