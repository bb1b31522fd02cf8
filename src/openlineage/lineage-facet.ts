// The experimental `lineage` facet of jobs: one entry per output with exactly its inputs, and its columns. Restates what inputs,
// outputs and column lineage say, for consumers that read this facet first.
import { type ColumnOrigin, columnLineage, type NamedPipeline } from '../identity/identity.ts';
import { inputDatasets, type Telling } from './datasets.ts';
import { type Facet, facet } from './facets.ts';
import { transformationOf } from './transformations.ts';

/** The facet for one sink. Heartbeats are without columns. */
export function lineageFacet(telling: Telling, pipeline: NamedPipeline): Facet {
  const { producer, lean } = telling;
  const { namespace, name } = pipeline.sink.dataset;
  const fields = lean ? [] : Object.entries(columnLineage({ columns: pipeline.columns, influences: [] }));
  const known = fields.filter(([, origins]) => origins.length > 0);
  const influences = lean ? [] : pipeline.influences;
  return facet(producer, 'lineage', {
    entries: [
      {
        type: 'DATASET',
        namespace,
        name,
        inputs: [
          ...inputDatasets({ ...telling, lean: true }, pipeline).map((input) => ({
            type: 'DATASET',
            namespace: input.namespace,
            name: input.name,
          })),
          ...influences.map((origin) => source(origin)),
        ],
        ...(known.length > 0 && {
          fields: Object.fromEntries(
            known.map(([column, origins]) => [column, { inputs: origins.map((origin) => source(origin, pipeline.expressions?.[column])) }]),
          ),
        }),
      },
    ],
  });
}

const source = (origin: ColumnOrigin, expression?: string) => ({
  type: 'DATASET',
  namespace: origin.namespace,
  name: origin.name,
  field: origin.field,
  transformations: [transformationOf(origin, expression)],
});
