// What backends cannot take, as a pure function on the text of an event.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Preset } from '../../src/settings/settings.ts';
import { applyProfile as apply } from '../../src/transports/profile.ts';

const applyProfile = (text: string, preset: Preset) => apply(text, { preset, sparkProperties: false });

const event = (namespace: string, jobNamespace = 'streampark') => ({
  eventType: 'START',
  run: { runId: 'r', facets: { parent: { run: { runId: 'p' }, job: { namespace: jobNamespace, name: 'app' } } } },
  job: { namespace: jobNamespace, name: 'app, with {anything}', facets: { sql: { query: 'select \'"namespace":"a,b"\'' } } },
  inputs: [
    {
      namespace,
      name: 'a,b',
      facets: { schema: { fields: [{ name: 'c', ordinal_position: 1, fields: [{ name: 'd', ordinal_position: 2 }] }] } },
    },
  ],
  outputs: [
    {
      namespace: 'hdfs://h:8020',
      name: '/x',
      facets: {
        symlinks: { identifiers: [{ namespace, name: 's', type: 'TABLE' }] },
        columnLineage: { fields: { namespace: { inputFields: [{ namespace, name: 'a,b', field: 'c' }] } } },
      },
    },
  ],
});

describe('marquez', () => {
  const applied = (namespace: string, jobNamespace?: string) =>
    JSON.parse(applyProfile(JSON.stringify(event(namespace, jobNamespace)), 'marquez')) as ReturnType<typeof event>;

  it('replaces what it refuses in every namespace, the same everywhere, and nothing else', () => {
    expect(applied('kafka://a:9092,b:9092')).toEqual(event('kafka://a:9092_b:9092'));
    expect(applied('a b?c&d%e{f}ü')).toEqual(event('a_b_c_d_e_f__'));
    expect(applied('x;y=z')).toEqual(event('x;y=z'));
    expect(applied('ok', 'my team;x=1')).toEqual(event('ok', 'my_team_x_1'));
  });

  it('leaves an event alone that needs nothing', () => {
    const text = JSON.stringify(event('kafka://a:9092'), null, 1);
    expect(applyProfile(text, 'marquez')).toBe(text);
  });

  it('shortens a namespace so that two long ones stay two', () => {
    const [one, two] = ['a', 'b'].map((last) => applied('n'.repeat(2_000) + last).inputs[0]?.namespace as string);
    expect(one?.length).toBe(1_024);
    expect(one).not.toBe(two);
  });

  it('gives a namespace that Marquez takes, whatever it was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (namespace) => {
        const out = applied(namespace);
        for (const one of [out.inputs[0], out.outputs[0]?.facets.symlinks.identifiers[0]]) {
          expect(one?.namespace).toMatch(/^[a-zA-Z:;=/0-9_\-.@+]{1,1024}$/);
        }
        expect(out).toEqual({ ...event(out.inputs[0]?.namespace as string) });
      }),
    );
  });
});

describe('gravitino', () => {
  it('takes out ordinal_position of schema fields at every depth, and nothing else', () => {
    const out = applyProfile(JSON.stringify(event('kafka://a,b')), 'gravitino');
    expect(out).not.toContain('ordinal_position');
    expect(JSON.parse(out)).toMatchObject({
      inputs: [{ namespace: 'kafka://a,b', facets: { schema: { fields: [{ name: 'c', fields: [{ name: 'd' }] }] } } }],
    });
    const text = '{"job": {"namespace":"a,b"}}';
    expect(applyProfile(text, 'gravitino')).toBe(text);
  });
});

it('changes nothing for a general OpenLineage consumer', () => {
  const text = JSON.stringify(event('a,b'));
  expect(applyProfile(text, 'openlineage')).toBe(text);
});

describe('the job id as Spark says it', () => {
  const app = { engine: 'flink', appId: '1', jobId: 'a1b2', clusterId: 'application_1_2' };
  const started = (facets: object, eventType = 'START') =>
    JSON.stringify({ eventType, producer: 'https://p', run: { runId: 'r', facets: { ...facets } }, job: { namespace: 'n', name: 'j' } });
  const said = (text: string) =>
    (JSON.parse(apply(text, { preset: 'gravitino', sparkProperties: true })) as { run: { facets: Record<string, unknown> } }).run.facets[
      'spark_properties'
    ];

  it('is put into START: the Flink job id, or the id of the Spark application', () => {
    expect(said(started({ streampark_app: app }))).toEqual({
      _producer: 'https://p',
      _schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet',
      properties: { 'spark.app.id': 'a1b2' },
    });
    expect(said(started({ streampark_app: { ...app, engine: 'spark' } }))).toMatchObject({
      properties: { 'spark.app.id': 'application_1_2' },
    });
  });

  it('is in no other event, and in none without an id', () => {
    for (const text of [started({ streampark_app: app }, 'COMPLETE'), started({ streampark_app: { engine: 'flink' } }), started({})]) {
      expect(apply(text, { preset: 'gravitino', sparkProperties: true })).toBe(text);
    }
    const text = started({ streampark_app: app });
    expect(apply(text, { preset: 'gravitino', sparkProperties: false })).toBe(text);
  });
});

it('cleans the name of a data source as the namespace it repeats', () => {
  const text = JSON.stringify({
    inputs: [{ namespace: 'a,b', name: 't,u', facets: { dataSource: { name: 'a,b' }, catalog: { name: 'c,d' } } }],
  });
  expect(JSON.parse(applyProfile(text, 'marquez'))).toEqual({
    inputs: [{ namespace: 'a_b', name: 't,u', facets: { dataSource: { name: 'a_b' }, catalog: { name: 'c,d' } } }],
  });
});
