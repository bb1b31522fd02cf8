import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type FreezeInput, freezeRun } from '../../src/openlineage/openlineage.ts';
import { freezeInput } from './arbitraries.ts';
import { app, lineage, ordersRun, startedAt } from './orders.ts';

const freeze = (changes: Partial<FreezeInput>) => freezeRun({ ...ordersRun, ...changes });

describe('freezeRun', () => {
  test('takes what is known about the application', () => {
    const run = freezeRun(ordersRun);
    expect(run).toMatchObject({
      engine: 'flink',
      namespace: 'streampark',
      jobName: 'orders_enrich',
      owner: 'ada',
      description: 'Orders with customer names, for the shop reports',
      startedAt,
      app: {
        appId: '100042',
        team: 'commerce',
        clusterId: 'application_1773480000000_0007',
        deployMode: 'yarn-application',
        attempt: 3,
        tier: 'plan',
        sqlId: '100077',
        sqlVersion: 2,
        previousRunId: '9f0f3a52-6c0d-3a3e-8f63-6f1d2a5f9b10',
        previousEnd: 'RESTARTED',
      },
    });
    expect(run.children.map((child) => child.jobName)).toEqual(['orders_enrich.orders_wide', 'orders_enrich.lake.dw.orders_per_customer']);
  });

  test('notes why lineage is partial: the given codes and the tables skipped, not those without identity by nature', () => {
    expect(freezeRun(ordersRun).app.notes).toEqual(['PATTERN_UNRESOLVED']);
    expect(freeze({ notes: ['SQL_GONE', 'PATTERN_UNRESOLVED'] }).app.notes).toEqual(['PATTERN_UNRESOLVED', 'SQL_GONE']);
    expect(freeze({ lineage: null, notes: ['SQL_GONE'] })).toMatchObject({ children: [], app: { notes: ['SQL_GONE'], tier: 'none' } });
  });

  test('the tier of a run is that of its weakest pipeline', () => {
    const [first, second] = lineage.pipelines;
    if (first === undefined || second === undefined) throw new Error('two pipelines expected');
    expect(freeze({ lineage: { ...lineage, pipelines: [first, { ...second, tier: 'tree' }] } }).app.tier).toBe('tree');
  });

  test.each([
    ['flink', 0, 'local'],
    ['flink', 6, 'kubernetes-application'],
    ['spark', 2, 'yarn-cluster'],
    ['spark', 3, 'yarn-client'],
    ['flink', -1, 'unknown'],
    ['flink', 7, 'unknown'],
  ] as const)('deploy mode %s %i is %s', (engine, deployMode, name) => {
    expect(freeze({ app: { ...app, engine, deployMode } }).app.deployMode).toBe(name);
  });

  test('falls back to ids and leaves out what is blank', () => {
    const run = freeze({ context: { teamName: null, userName: '', description: ' ' }, engineVersion: '', sql: '\n' });
    expect(run).toMatchObject({ owner: null, description: null, engineVersion: null, sql: null, app: { team: '100000' } });
  });

  test('a description is cut, a script is not', () => {
    const run = freeze({ context: { teamName: null, userName: null, description: '数'.repeat(5000) }, sql: 'x'.repeat(500_000) });
    expect(Buffer.byteLength(run.description ?? '')).toBeLessThanOrEqual(4096);
    expect(run.sql).toHaveLength(500_000);
  });

  test('masks the description and the comments of columns, which come from the script with its variables replaced', () => {
    const [pipeline] = lineage.pipelines;
    if (pipeline === undefined) throw new Error('a pipeline expected');
    const comment = { name: 'c', type: 'INT', kind: 'physical' as const, comment: 'is s3cr3t' };
    const spied = {
      ...pipeline,
      sink: { ...pipeline.sink, columns: [comment] },
      inputs: pipeline.inputs.map((input) => ({ ...input, columns: [comment] })),
    };
    const context = { teamName: null, userName: null, description: 'log in with s3cr3t' };
    const run = freeze({ context, lineage: { ...lineage, pipelines: [spied] } });
    expect(run.description).toBe('log in with ******');
    expect(JSON.stringify(run.children)).toContain('is ******');
    expect(JSON.stringify(run.children)).not.toContain('s3cr3t');
  });

  test.each([
    ['https://console:10000/#/flink/app/detail?appId=100042&sql=100077', true],
    ['http://user:secret@console/', false],
    ['ftp://console/script', false],
    ['http://console/a b', false],
    ['http://console/%zz', false],
    ['http://console/a|b', false],
    ['no address', false],
  ])('source %s is an address: %s', (sourceUrl, known) => {
    expect(freeze({ sourceUrl }).source).toEqual(known ? { url: sourceUrl, version: '2' } : null);
  });

  test('a start ahead of the clock is now', () => {
    expect(freeze({ now: startedAt - 1000 }).startedAt).toBe(startedAt - 1000);
  });

  test('keeps neither options nor undefined values: it survives JSON', () => {
    fc.assert(
      fc.property(freezeInput, (input) => {
        expect(JSON.parse(JSON.stringify(freezeRun(input)))).toEqual(freezeRun(input));
      }),
    );
  });

  test.each([
    ['https://git.example.org/shop/jobs.git', 'https://git.example.org/shop/jobs.git'],
    ['https://ada:p/w@git.example.org:8443/shop/jobs.git?token=x#y', 'https://git.example.org:8443/shop/jobs.git'],
    ['https://token@git.example.org/shop/jobs', 'https://git.example.org/shop/jobs'],
    ['git@git.example.org:shop/jobs.git', 'ssh://git.example.org/shop/jobs.git'],
    ['ssh://git:secret@git.example.org:2222/shop/jobs.git', 'ssh://git.example.org:2222/shop/jobs.git'],
    ['https://git.example.org', null],
    ['file:///home/ada/jobs', null],
    ['https://git.example.org/a b', null],
    ['https://git.example.org/shop/a@b.git', null],
    ['', null],
  ])('project %s is at %s', (url, address) => {
    const project = { url, branch: 'main', module: 'orders' };
    const frozen = freeze({ context: { ...ordersRun.context, project } });
    expect(frozen.project ?? null).toEqual(address === null ? null : { url: address, branch: 'main', path: 'orders' });
    expect(JSON.stringify(frozen)).not.toMatch(/p\/w|secret|token/);
  });

  test('masks tags, and leaves out blank ones', () => {
    const mask = (text: string) => text.replaceAll('hunter2', '******');
    expect(freeze({ mask, context: { ...ordersRun.context, tags: ['gold', 'pw=hunter2', ' '] } }).tags).toEqual(['gold', 'pw=******']);
    const { tags: _, ...older } = ordersRun.context;
    expect(freeze({ context: older })).toMatchObject({ tags: [], project: null });
  });
});
