// Datasets as they stand in events: identity, schema, symlinks and column lineage. Two tables of a script may stand for one
// dataset (a topic read twice, with different columns); an event names it once and unites what is known.
import { type ColumnOrigin, columnLineage, type NamedPipeline, type NamedTable } from '../identity/identity.ts';
import { type Facet, facet } from './facets.ts';
import { cleanText } from './text.ts';

export interface DatasetFacets {
  readonly schema?: Facet;
  readonly symlinks?: Facet;
  readonly columnLineage?: Facet<ColumnLineageContent>;
}

export interface EventDataset {
  readonly namespace: string;
  readonly name: string;
  readonly facets: DatasetFacets;
}

/**
 * Inputs of a pipeline, each dataset once, in the order of the script.
 * @param lean heartbeats: without schemas
 */
export function inputDatasets(producer: string, pipeline: NamedPipeline, lean: boolean): EventDataset[] {
  const tables = new Map<string, NamedTable[]>();
  for (const input of pipeline.inputs) {
    const key = JSON.stringify([input.dataset.namespace, input.dataset.name]);
    tables.set(key, [...(tables.get(key) ?? []), input]);
  }
  return [...tables.values()].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { namespace, name } = first.dataset;
    return [{ namespace, name, facets: { ...(!lean && schemaOf(producer, same)), ...symlinksOf(producer, same) } }];
  });
}

/**
 * The one output of a pipeline.
 * @param lean heartbeats: with the schema, which consumers would otherwise drop, but without column lineage, which is dear to store
 */
export function outputDataset(producer: string, pipeline: NamedPipeline, lean: boolean): EventDataset {
  const { sink } = pipeline;
  const { namespace, name } = sink.dataset;
  const facets = { ...schemaOf(producer, [sink]), ...symlinksOf(producer, [sink]), ...(!lean && columnLineageOf(producer, pipeline)) };
  return { namespace, name, facets };
}

/** Computed columns exist in the script only. `ordinal_position` is never sent: Gravitino loses the event. */
function schemaOf(producer: string, tables: readonly NamedTable[]): Pick<DatasetFacets, 'schema'> {
  const fields = new Map<string, { name: string; type: string; description?: string }>();
  for (const column of tables.flatMap((table) => table.columns)) {
    if (column.kind === 'computed' || fields.has(column.name)) continue;
    const { name, type, comment } = column;
    fields.set(name, { name, type, ...(comment !== undefined && comment !== '' && { description: cleanText(comment) }) });
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

function columnLineageOf(producer: string, { columns, influences }: NamedPipeline): Pick<DatasetFacets, 'columnLineage'> {
  const fits = Object.keys(columns).length * influences.length <= mostEntries;
  const lineage = columnLineage({ columns, influences: fits ? influences : [] });
  const known = Object.entries(lineage).filter(([, origins]) => origins.length > 0);
  if (known.length === 0) return {};
  const fields = Object.fromEntries(known.map(([column, origins]) => [column, { inputFields: inputFields(origins) }]));
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

interface ColumnLineageContent {
  readonly fields: Readonly<Record<string, { readonly inputFields: readonly InputField[] }>>;
}

interface InputField {
  readonly namespace: string;
  readonly name: string;
  readonly field: string;
  readonly transformations: { readonly type: string; readonly subtype: string }[];
}

/** One entry per source column, with all the ways in which it reaches the sink column. */
function inputFields(origins: readonly ColumnOrigin[]): InputField[] {
  const fields = new Map<string, InputField>();
  for (const { namespace, name, field, type, subtype } of origins) {
    const key = JSON.stringify([namespace, name, field]);
    const entry = fields.get(key) ?? { namespace, name, field, transformations: [] };
    if (!entry.transformations.some((known) => known.type === type && known.subtype === subtype))
      entry.transformations.push({ type, subtype });
    fields.set(key, entry);
  }
  return [...fields.values()];
}
