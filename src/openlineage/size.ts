// The size caps. What is cut first is what can be looked up elsewhere: the script, then column lineage (what only decides about
// columns before what they are made of), then schemas, then the rest of what is known of tables. Everything cut is listed in the
// facet `streampark_cut`, and a cut text says so itself.
// Inputs and outputs are never cut: consumers would take their absence for the end of an edge.
import { type DatasetFacets, directOnly, type EventDataset } from './datasets.ts';
import { type Cut, facet, facetSchemas, type JobFacets, type RunFacets } from './facets.ts';
import { cutText, jsonTextBytes } from './text.ts';

/** An event as it is serialised; the order of the keys is the order in the JSON. */
export interface EventBody {
  readonly eventTime: string;
  readonly producer: string;
  readonly schemaURL: string;
  readonly eventType?: string;
  readonly run?: { readonly runId: string; readonly facets: RunFacets };
  readonly job: { readonly namespace: string; readonly name: string; readonly facets: JobFacets };
  readonly inputs: readonly EventDataset[];
  readonly outputs: readonly EventDataset[];
}

export interface SizeLimits {
  readonly maxBytes: number;
  readonly maxFacetBytes: number;
}

/** Takes something out of an event that is `overflow` bytes too large, and says what. */
type Cutter = (event: EventBody, overflow: number) => { readonly event: EventBody; readonly cuts: readonly Cut[] };

/** In the order in which they are tried, until the event fits. */
const cutters: readonly Cutter[] = [
  (event, overflow) => cutTexts(event, (text) => Math.max(0, jsonTextBytes(text) - overflow)),
  (event) => mapFacets(event, 'outputs', indirectOut),
  (event) => mapFacets(event, 'outputs', (facets) => without(facets, 'columnLineage', columnsOf(facets))),
  (event) => withoutLineage(event),
  (event) => mapFacets(event, 'inputs', (facets) => without(facets, 'schema', fieldsOf(facets))),
  (event) => mapFacets(event, 'outputs', (facets) => without(facets, 'schema', fieldsOf(facets))),
  (event) => withoutAdded(event),
  (event) => eachSide(event, (facets) => described.reduce((found, key) => join(found, without(found.facets, key, 1)), nothing(facets))),
];

const described = ['documentation', 'catalog', 'storage', 'version', 'dataSource'] as const;

/**
 * Serialises an event in at most `maxBytes` of UTF-8 where that is possible without touching inputs and outputs, each of its
 * scripts, schemas and column lineages in at most `maxFacetBytes`.
 * @returns JSON of one line
 */
export function serialise(event: EventBody, { maxBytes, maxFacetBytes }: SizeLimits): string {
  let json = JSON.stringify(event);
  // what is that small as a whole has no facet that is larger
  if (json.length * 3 <= Math.min(maxBytes, maxFacetBytes)) return json;
  let { event: current, cuts } = capFacets(event, maxFacetBytes);
  if (cuts.length > 0) json = JSON.stringify(marked(current, cuts));
  for (const cutter of cutters) {
    const overflow = Buffer.byteLength(json, 'utf8') - maxBytes;
    if (overflow <= 0) break;
    // the mark takes room of its own
    const done = cutter(current, overflow + (cuts.length === 0 ? markBytes : entryBytes));
    current = done.event;
    cuts = [...cuts, ...done.cuts];
    json = JSON.stringify(marked(current, cuts));
  }
  return json;
}

const markBytes = 330;
const entryBytes = 90;

/** The event with the mark; of one facet only the last of several cuts counts, with what there was before the first. */
function marked(event: EventBody, cuts: readonly Cut[]): EventBody {
  if (cuts.length === 0) return event;
  const united = new Map<string, Cut>();
  for (const cut of cuts) {
    const key = `${cut.facet} ${cut.of}`;
    const before = united.get(key);
    united.set(key, before === undefined ? cut : { ...cut, total: Math.max(before.total, cut.total) });
  }
  const mark = facet(event.producer, 'streampark_cut', { cuts: [...united.values()] });
  return { ...event, job: { ...event.job, facets: { ...event.job.facets, streampark_cut: mark } } };
}

function capFacets(event: EventBody, maxBytes: number): { event: EventBody; cuts: readonly Cut[] } {
  const texts = cutTexts(event, () => maxBytes);
  const lineage = jsonSize(event.job.facets.lineage) > maxBytes ? withoutLineage(texts.event) : { event: texts.event, cuts: [] };
  const datasets = eachSide(lineage.event, (facets) => {
    const schema = cappedSchema(facets, maxBytes);
    const direct = jsonSize(schema.facets.columnLineage) > maxBytes ? join(schema, indirectOut(schema.facets)) : schema;
    return join(direct, cappedColumns(direct.facets, maxBytes));
  });
  return { event: datasets.event, cuts: [...texts.cuts, ...lineage.cuts, ...datasets.cuts] };
}

const jsonSize = (value: unknown): number => (value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value), 'utf8'));

/** The script and the code, each cut to the bytes it may have, with a mark at its end. */
function cutTexts(event: EventBody, roomFor: (text: string) => number): ReturnType<Cutter> {
  const { sql, sourceCode, ...others } = event.job.facets;
  const cuts: Cut[] = [];
  const shorten = (facetName: string, text: string, comment: string): string => {
    const cut = cutText(text, roomFor(text), `\n${comment} cut here: the text has ${text.length} characters`);
    if (cut.length >= text.length) return text;
    cuts.push({ facet: facetName, of: 'job', kept: cut.length, total: text.length });
    return cut;
  };
  const facets: JobFacets = {
    ...others,
    ...(sql !== undefined && { sql: { ...sql, query: shorten('sql', sql.query, '--') } }),
    ...(sourceCode !== undefined && { sourceCode: { ...sourceCode, sourceCode: shorten('sourceCode', sourceCode.sourceCode, '#') } }),
  };
  return cuts.length === 0 ? { event, cuts } : { event: { ...event, job: { ...event.job, facets } }, cuts };
}

function withoutLineage(event: EventBody): ReturnType<Cutter> {
  const { lineage, ...facets } = event.job.facets;
  if (lineage === undefined) return { event, cuts: [] };
  return { event: { ...event, job: { ...event.job, facets } }, cuts: [{ facet: 'lineage', of: 'job', kept: 0, total: 1 }] };
}

/** Without what an extension added to jobs and datasets. */
function withoutAdded(event: EventBody): ReturnType<Cutter> {
  const added = (facets: object) => Object.keys(facets).filter((key) => !(key in facetSchemas));
  const kept = <T extends object>(facets: T): T => Object.fromEntries(Object.entries(facets).filter(([key]) => key in facetSchemas)) as T;
  const ofJob = added(event.job.facets).map((facetName): Cut => ({ facet: facetName, of: 'job', kept: 0, total: 1 }));
  const job = ofJob.length === 0 ? event.job : { ...event.job, facets: kept(event.job.facets) };
  const datasets = eachSide({ ...event, job }, (facets) => {
    const lost = added(facets).map((facetName) => ({ facet: facetName, kept: 0, total: 1 }));
    return lost.length === 0 ? nothing(facets) : { facets: kept(facets), lost };
  });
  return { event: datasets.event, cuts: [...ofJob, ...datasets.cuts] };
}

interface CutFacets {
  readonly facets: DatasetFacets;
  readonly lost: readonly Omit<Cut, 'of'>[];
}

const nothing = (facets: DatasetFacets): CutFacets => ({ facets, lost: [] });
const join = (before: CutFacets, after: CutFacets): CutFacets => ({ facets: after.facets, lost: [...before.lost, ...after.lost] });
const columnsOf = ({ columnLineage }: DatasetFacets): number => Object.keys(columnLineage?.fields ?? {}).length;
const fieldsOf = ({ schema }: DatasetFacets): number => schema?.fields.length ?? 0;

/** Without what only decides about columns. */
function indirectOut(facets: DatasetFacets): CutFacets {
  const inputs = Object.values(facets.columnLineage?.fields ?? {}).flatMap(({ inputFields }) => inputFields);
  const decides = inputs.some(({ transformations }) => transformations.some(({ type }) => type !== 'DIRECT'));
  if (!decides) return nothing(facets);
  return { facets: directOnly(facets), lost: [{ facet: 'columnLineage INDIRECT', kept: 0, total: columnsOf(facets) }] };
}

function without(facets: DatasetFacets, key: keyof DatasetFacets, total: number): CutFacets {
  if (facets[key] === undefined) return nothing(facets);
  const { [key]: _, ...rest } = facets;
  return { facets: rest, lost: [{ facet: key, kept: 0, total }] };
}

/** The first fields that fit. */
function cappedSchema(facets: DatasetFacets, maxBytes: number): CutFacets {
  const { schema } = facets;
  if (schema === undefined || jsonSize(schema) <= maxBytes) return nothing(facets);
  const fields = fitting(schema.fields, maxBytes);
  const total = schema.fields.length;
  return { facets: { ...facets, schema: { ...schema, fields } }, lost: [{ facet: 'schema', kept: fields.length, total }] };
}

/** The first columns that fit. */
function cappedColumns(facets: DatasetFacets, maxBytes: number): CutFacets {
  const { columnLineage } = facets;
  if (columnLineage === undefined || jsonSize(columnLineage) <= maxBytes) return nothing(facets);
  const columns = Object.entries(columnLineage.fields);
  const kept = fitting(columns, maxBytes);
  const fields = Object.fromEntries(kept);
  return {
    facets: { ...facets, columnLineage: { ...columnLineage, fields } },
    lost: [{ facet: 'columnLineage', kept: kept.length, total: columns.length }],
  };
}

/** The first items whose JSON takes at most so many bytes, with some room for what is around them. */
function fitting<T>(items: readonly T[], maxBytes: number): T[] {
  let room = maxBytes - 300;
  const kept: T[] = [];
  for (const item of items) {
    room -= jsonSize(item) + 1;
    if (room < 0) break;
    kept.push(item);
  }
  return kept;
}

/** Cuts at every dataset of one side; the counts of several datasets are added up. */
function mapFacets(event: EventBody, side: 'inputs' | 'outputs', cut: (facets: DatasetFacets) => CutFacets): ReturnType<Cutter> {
  const cuts = new Map<string, Cut>();
  const datasets = event[side].map((dataset) => {
    const { facets, lost } = cut(dataset.facets);
    for (const { facet: name, kept, total } of lost) {
      const sum = cuts.get(name) ?? { facet: name, of: side, kept: 0, total: 0 };
      cuts.set(name, { ...sum, kept: sum.kept + kept, total: sum.total + total });
    }
    return lost.length === 0 ? dataset : { ...dataset, facets };
  });
  return { event: { ...event, [side]: datasets }, cuts: [...cuts.values()] };
}

function eachSide(event: EventBody, cut: (facets: DatasetFacets) => CutFacets): ReturnType<Cutter> {
  const inputs = mapFacets(event, 'inputs', cut);
  const outputs = mapFacets(inputs.event, 'outputs', cut);
  return { event: outputs.event, cuts: [...inputs.cuts, ...outputs.cuts] };
}
