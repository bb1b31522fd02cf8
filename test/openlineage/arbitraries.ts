// Any run and any life of it, from the values that StreamPark's database and the stages before could bring.
import fc from 'fast-check';
import type { ErrorCode } from '../../src/errors/errors.ts';
import type { ColumnOrigin, NamedLineage, NamedTable } from '../../src/identity/identity.ts';
import { type FreezeInput, freezeRun, identityText, type Moment, type RunEventType } from '../../src/openlineage/openlineage.ts';
import type { ColumnUse } from '../../src/plan/plan.ts';
import { app, ordersRun, startedAt } from './orders.ts';

const text = fc.oneof(fc.constantFrom('a', 'orders', '__proto__', '数据', ''), fc.string({ unit: 'binary', maxLength: 20 }));
const name = text.map((t) => `n${t}`);
const nullable = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null });

const column = fc.record(
  { name, type: name, kind: fc.constantFrom('physical', 'metadata', 'computed'), comment: text },
  { requiredKeys: ['name', 'type', 'kind'] },
);

const table: fc.Arbitrary<NamedTable> = fc.record({
  table: fc.tuple(fc.constantFrom('default_catalog', 'lake'), fc.constantFrom('default_database', 'dw'), text),
  connector: nullable(name),
  dataset: fc.record({
    namespace: name,
    name,
    symlinks: fc.array(fc.record({ namespace: name, name, type: fc.constantFrom('TABLE', 'LOCATION') }), { maxLength: 2 }),
  }),
  columns: fc.array(column, { maxLength: 4 }),
});

const use: fc.Arbitrary<ColumnUse> = fc.constantFrom(
  { type: 'DIRECT', subtype: 'IDENTITY' },
  { type: 'INDIRECT', subtype: 'JOIN' },
  { type: 'INDIRECT', subtype: 'FILTER' },
);
const origin: fc.Arbitrary<ColumnOrigin> = fc
  .tuple(fc.record({ namespace: name, name, field: name }), use)
  .map(([column, how]) => ({ ...column, ...how }));

export const lineage: fc.Arbitrary<NamedLineage> = fc.record({
  pipelines: fc.uniqueArray(
    fc.record({
      tier: fc.constantFrom('plan', 'tree', 'text'),
      sink: table,
      inputs: fc.array(
        fc.tuple(table, fc.constantFrom('scan', 'lookup', 'model')).map(([input, role]) => ({ ...input, role })),
        { maxLength: 4 },
      ),
      columns: fc.dictionary(name, fc.array(origin, { maxLength: 3 }), { maxKeys: 3 }),
      influences: fc.array(origin, { maxLength: 2 }),
    }),
    { selector: ({ sink: { dataset } }) => `${dataset.namespace}/${dataset.name}`, maxLength: 4 },
  ),
  skipped: fc.constant([]),
});

export const freezeInput: fc.Arbitrary<FreezeInput> = fc
  .record({
    lineage: nullable(lineage),
    naming: fc.constantFrom('sink', 'app'),
    processing: fc.constantFrom('STREAMING', 'BATCH'),
    engineVersion: nullable(text),
    sql: nullable(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 3000 }))),
    sqlId: nullable(name),
    sqlVersion: nullable(fc.nat()),
    sourceUrl: nullable(
      fc.oneof(
        fc.webUrl({ withFragments: true, withQueryParameters: true }),
        text.map((t) => `http://h/${t}`),
        text,
      ),
    ),
    previousRunId: nullable(fc.uuid()),
    context: fc.record({ teamName: nullable(text), userName: nullable(text), description: nullable(text) }),
    notes: fc.subarray<ErrorCode>(['SQL_GONE', 'PLAN_COMPILE', 'LINEAGE_UNAVAILABLE']),
    deployMode: fc.integer({ min: -1, max: 9 }),
    engine: fc.constantFrom('flink', 'spark'),
    jobId: nullable(name),
  })
  .map(({ deployMode, engine, jobId, ...rest }) => ({
    ...ordersRun,
    ...rest,
    app: { ...app, engine, deployMode },
    evidence: { ...ordersRun.evidence, jobId },
    identity: identityText({ kind: 'flink-log', createTime: app.createTime, logId: '1' }),
  }));

export const frozenRun = freezeInput.map(freezeRun);

const types: readonly RunEventType[] = ['START', 'RUNNING', 'COMPLETE', 'FAIL', 'ABORT'];

/** A moment at any time around the run, also before it and ahead of the clock. */
export const moment: fc.Arbitrary<Moment> = fc.record(
  {
    type: fc.constantFrom(...types),
    at: fc.integer({ min: startedAt - 10_000, max: startedAt + 100_000 }),
    message: nullable(fc.oneof(text, fc.string({ unit: 'binary', maxLength: 6000 }))),
    reason: fc.constantFrom('FAILED', 'LOST'),
    reconstructed: fc.boolean(),
  },
  { requiredKeys: ['type', 'at'] },
);

/** A life: START, some heartbeats, perhaps an end; each with the clock of that moment. */
export const life = fc
  .tuple(fc.array(moment, { maxLength: 4 }), moment, fc.boolean(), fc.array(fc.nat({ max: 50_000 }), { minLength: 6, maxLength: 6 }))
  .map(([beats, end, ends, gaps]) => {
    const moments: Moment[] = [
      { ...end, type: 'START' },
      ...beats.map((beat) => ({ ...beat, type: 'RUNNING' as const })),
      ...(ends && end.type !== 'START' && end.type !== 'RUNNING' ? [end] : []),
    ];
    let now = startedAt;
    return moments.map((m, i) => {
      now += gaps[i] ?? 0;
      return { moment: m, now };
    });
  });
