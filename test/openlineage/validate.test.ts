import { describe, expect, test } from 'vitest';
import { createValidator, freezeRun, runEvents } from '../../src/openlineage/openlineage.ts';
import { ownSchemas } from '../schemas/files.ts';
import { eventOptions, ordersRun, startedAt } from './orders.ts';

const validate = createValidator(ownSchemas());
const [parent, job, , child] = runEvents(freezeRun(ordersRun), { type: 'START', at: startedAt }, eventOptions).map(
  (event) => JSON.parse(event.json) as Record<string, unknown>,
);
const core = 'https://openlineage.io/spec/2-0-2/OpenLineage.json';

describe('createValidator', () => {
  test('accepts our events', async () => {
    for (const event of [parent, job, child]) expect(await validate(event)).toEqual([]);
  });

  test('names what is wrong and where', async () => {
    expect(await validate({ ...parent, eventType: 'FINISHED' })).toEqual([
      { path: '/eventType', message: 'must be equal to one of the allowed values: START, RUNNING, COMPLETE, FAIL, ABORT, OTHER' },
    ]);
    expect(await validate({ ...parent, run: { runId: 'abc' } })).toEqual([{ path: '/run/runId', message: 'must match format "uuid"' }]);
    expect(await validate({ ...parent, eventTime: undefined, job: undefined })).toEqual(
      expect.arrayContaining([
        { path: '', message: "must have required property 'eventTime'" },
        { path: '', message: "must have required property 'job'" },
      ]),
    );
  });

  test('checks facets by the schema of their key, wherever they stand', async () => {
    const stamp = { _producer: 'http://p', _schemaURL: 'http://s' };
    const faults = await validate({
      ...parent,
      run: {
        runId: '01234567-89ab-cdef-0123-456789abcdef',
        facets: { errorMessage: { ...stamp, message: 'x' }, mine: { ...stamp, message: 1 } },
      },
      job: { namespace: 'a', name: 'b', facets: { sql: { ...stamp, query: 1 } } },
      outputs: [{ namespace: 'a', name: 'b', facets: { schema: { ...stamp, fields: [{}] } } }],
    });
    expect(faults).toEqual(
      expect.arrayContaining([
        { path: '/run/facets/errorMessage', message: "must have required property 'programmingLanguage'" },
        { path: '/job/facets/sql/query', message: 'must be string' },
        { path: '/outputs/0/facets/schema/fields/0', message: "must have required property 'name'" },
      ]),
    );
    expect(faults).toHaveLength(3);
  });

  test('judges an event by what it says it is, else by what it holds', async () => {
    const { run: _, ...runless } = parent ?? {};
    expect(await validate(runless)).toEqual([{ path: '', message: "must have required property 'run'" }]);
    expect(await validate({ ...runless, schemaURL: `${core}#/$defs/JobEvent` })).toEqual([]);
    expect(await validate({ ...runless, schemaURL: 'https://elsewhere/' })).toEqual([]);
    const dataset = { eventTime: parent?.['eventTime'], producer: 'http://p', schemaURL: core, dataset: { namespace: 'a', name: 'b' } };
    expect(await validate(dataset)).toEqual([]);
    expect(await validate({ ...dataset, dataset: {} })).toHaveLength(2);
  });

  test.each([null, 1, 'text', [], [parent], true, {}, { schemaURL: { toString: 1 } }])('refuses nonsense: %j', async (nonsense) => {
    expect((await validate(nonsense)).length).toBeGreaterThan(0);
  });

  test('works with the core alone, and says so when it is missing', async () => {
    const schemas = ownSchemas();
    expect(await createValidator({ core: schemas['OpenLineage.json'] })(child)).toEqual([]);
    expect(() => createValidator({})).toThrow('OpenLineage.json');
  });
});
