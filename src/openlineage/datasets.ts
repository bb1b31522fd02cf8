// Datasets as they stand in events: identity, what is known of the table, and column lineage. Two tables of a script may stand
// for one dataset (a topic read twice, with different columns); an event names it once and unites what is known.
import { type ColumnOrigin, columnLineage, type NamedPipeline, type NamedTable } from '../identity/identity.ts';
import { type Facet, facet } from './facets.ts';
import { nestedFields, type SchemaField } from './flink-type.ts';
import { cleanText } from './text.ts';
import { type TraitFacets, traitFacets } from './traits.ts';
import { type Transformation, transformationOf } from './transformations.ts';

export interface DatasetFacets extends TraitFacets {
  readonly schema?: Facet<{ readonly fields: readonly SchemaField[] }>;
  readonly symlinks?: Facet;
  readonly columnLineage?: Facet<ColumnLineageContent>;
}

export interface EventDataset {
  readonly namespace: string;
  readonly name: string;
  readonly facets: DatasetFacets;
  readonly outputFacets?: { readonly subset: Facet };
}

/** How much of a dataset is told. `lean`: heartbeats. */
export interface Telling {
  readonly producer: string;
  readonly lean: boolean;
  readonly isBatch: boolean;
}

/** Inputs of a pipeline, each dataset once, in the order of the script. Heartbeats are without schemas. */
export function inputDatasets(telling: Telling, pipeline: NamedPipeline): EventDataset[] {
  const tables = new Map<string, NamedTable[]>();
  for (const input of pipeline.inputs) {
    const key = JSON.stringify([input.dataset.namespace, input.dataset.name]);
    tables.set(key, [...(tables.get(key) ?? []), input]);
  }
  return [...tables.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { namespace, name } = first.dataset;
    const { producer, lean } = telling;
    const facets = { ...(!lean && schemaOf(producer, same)), ...symlinksOf(producer, same), ...traitFacets(telling, same, 'input') };
    return [{ namespace, name, facets }];
  });
}

/**
 * The one output of a pipeline. Heartbeats are with the schema, which consumers would otherwise drop, but without column lineage,
 * which is dear to store.
 */
export function outputDataset(telling: Telling, pipeline: NamedPipeline): EventDataset {
  const { producer, lean } = telling;
  const { sink, partitions } = pipeline;
  const { namespace, name } = sink.dataset;
  const facets = {
    ...schemaOf(producer, [sink]),
    ...symlinksOf(producer, [sink]),
    ...traitFacets(telling, [sink], 'output'),
    ...(!lean && columnLineageOf(producer, pipeline)),
  };
  return { namespace, name, facets, ...(partitions !== undefined && { outputFacets: { subset: written(producer, partitions) } }) };
}

/** The partitions that PARTITION clauses name. */
function written(producer: string, partitions: NonNullable<NamedPipeline['partitions']>): Facet {
  const distinct = new Map(partitions.map((dimensions) => [JSON.stringify(dimensions), { dimensions }]));
  return facet(producer, 'subset', { outputCondition: { type: 'partition', partitions: [...distinct.values()] } });
}

/** Computed columns exist in the script only. `ordinal_position` is never sent: Gravitino loses the event. */
function schemaOf(producer: string, tables: readonly NamedTable[]): Pick<DatasetFacets, 'schema'> {
  const fields = new Map<string, SchemaField>();
  for (const column of tables.flatMap((table) => table.columns)) {
    if (column.kind === 'computed' || fields.has(column.name)) continue;
    const { name, type, comment } = column;
    const inner = nestedFields(type);
    fields.set(name, {
      name,
      type,
      ...(comment !== undefined && comment !== '' && { description: cleanText(comment) }),
      ...(inner.length > 0 && { fields: inner }),
    });
  }
  return fields.size === 0 ? {} : { schema: facet(producer, 'schema', { fields: [...fields.values()] }) };
}

function symlinksOf(producer: string, tables: readonly NamedTable[]): Pick<DatasetFacets, 'symlinks'> {
  const identifiers = new Map(
    tables
      .flatMap((table) => table.dataset.symlinks)
      .map(({ namespace, name, type }) => [JSON.stringify([namespace, name, type]), { namespace, name, type }] as const),
  );
  return identifiers.size === 0 ? {} : { symlinks: facet(producer, 'symlinks', { identifiers: [...identifiers.values()] }) };
}

/** Entries of column lineage beyond which influences on rows are left out: no event has room for so many. */
const mostEntries = 20_000;

function columnLineageOf(producer: string, { columns, influences, expressions }: NamedPipeline): Pick<DatasetFacets, 'columnLineage'> {
  const fits = Object.keys(columns).length * influences.length <= mostEntries;
  const lineage = columnLineage({ columns, influences: fits ? influences : [] });
  const known = Object.entries(lineage).filter(([, origins]) => origins.length > 0);
  if (known.length === 0) return {};
  const fields = Object.fromEntries(
    known.map(([column, origins]) => [column, { inputFields: inputFields(origins, expressions?.[column]) }]),
  );
  return { columnLineage: facet(producer, 'columnLineage', { fields }) };
}

/** The facets of an output without what only decides about its columns. */
export function directOnly({ columnLineage, ...facets }: DatasetFacets): DatasetFacets {
  if (columnLineage === undefined) return facets;
  const fields = Object.entries(columnLineage.fields).flatMap(([column, { inputFields }]) => {
    const direct = inputFields.flatMap((input) => {
      const transformations = input.transformations.filter(({ type }) => type === 'DIRECT');
      return transformations.length === 0 ? [] : [{ ...input, transformations }];
    });
    return direct.length === 0 ? [] : [[column, { inputFields: direct }] as const];
  });
  return fields.length === 0 ? facets : { ...facets, columnLineage: { ...columnLineage, fields: Object.fromEntries(fields) } };
}

export interface ColumnLineageContent {
  readonly fields: Readonly<Record<string, { readonly inputFields: readonly InputField[] }>>;
}

interface InputField {
  readonly namespace: string;
  readonly name: string;
  readonly field: string;
  readonly transformations: Transformation[];
}

/** One entry per source column, with all the ways in which it reaches the sink column. */
function inputFields(origins: readonly ColumnOrigin[], expression: string | undefined): InputField[] {
  const fields = new Map<string, InputField>();
  for (const origin of origins) {
    const { namespace, name, field, type, subtype } = origin;
    const key = JSON.stringify([namespace, name, field]);
    const entry = fields.get(key) ?? { namespace, name, field, transformations: [] };
    if (!entry.transformations.some((known) => known.type === type && known.subtype === subtype))
      entry.transformations.push(transformationOf(origin, expression));
    fields.set(key, entry);
  }
  return [...fields.values()];
}
