// What neither our events nor the specification's samples hold: optional fields, and events that are two kinds at once.

const stamp = { _producer: 'https://example.org/p', _schemaURL: 'https://example.org/s' };
const dated = { eventTime: '2026-03-14T09:26:53.589Z', producer: 'https://example.org/p', schemaURL: 'https://example.org/s' };
const run = { runId: 'f69a6e9b-9bac-3c9a-9cf6-eacb70ecc9a9' };
const job = { namespace: 'streampark', name: 'orders' };
const dataset = { namespace: 'kafka://b:9092', name: 'orders' };

/** Events with input and output facets, and of mixed kinds. */
export const rareEvents: readonly unknown[] = [
  {
    ...dated,
    run,
    job,
    inputs: [{ ...dataset, inputFacets: { inputStatistics: { ...stamp, rowCount: 1 } } }],
    outputs: [{ ...dataset, outputFacets: { outputStatistics: { ...stamp, rowCount: 1 } } }],
  },
  { ...dated, job, inputs: [{ ...dataset, inputFacets: {} }], outputs: [{ ...dataset, outputFacets: {} }] },
  { ...dated, run, job, dataset },
  { ...dated, job, dataset },
  { ...dated, run, dataset },
  { ...dated, run, job },
];

/** Objects that hold facets, as the specification's facet files describe. */
export const rareFacets: readonly object[] = [
  { ownership: { ...stamp, owners: [{ name: 'team:shop', type: 'MAINTAINER' }], _deleted: false } },
  {
    sourceCodeLocation: {
      ...stamp,
      type: 'git',
      url: 'https://example.org/jobs/orders.sql',
      repoUrl: 'git@example.org:jobs.git',
      path: 'orders.sql',
      version: '3',
      tag: 'v3',
      branch: 'main',
    },
  },
  {
    tags: {
      ...stamp,
      tags: [
        { key: 'pii', value: 'true', source: 'USER' },
        { key: 'a', value: 'b' },
      ],
    },
  },
  {
    jobDependencies: {
      ...stamp,
      upstream: [
        {
          job,
          run,
          dependency_type: 'IMPLICIT_DEPENDENCY',
          sequence_trigger_rule: 'FINISH_TO_START',
          status_trigger_rule: 'EXECUTE_EVERY_TIME',
        },
      ],
      downstream: [{ job }],
      trigger_rule: 'ALL_SUCCESS',
    },
  },
  { errorMessage: { ...stamp, message: 'x', programmingLanguage: 'JAVA', stackTrace: 'at x' } },
  { schema: { ...stamp, fields: [{ name: 'r', type: 'ROW', description: 'd', fields: [{ name: 'a', fields: [] }] }] } },
  { symlinks: { ...stamp, identifiers: [{ ...dataset, type: 'TABLE' }] } },
  {
    columnLineage: {
      ...stamp,
      fields: { a: { inputFields: [], transformationDescription: 'd', transformationType: 'IDENTITY' } },
      dataset: [{ ...dataset, field: 'b', transformations: [{ type: 'INDIRECT', subtype: 'JOIN', description: 'd', masking: true }] }],
    },
  },
];
