// The size cap. What is cut first is what can be looked up elsewhere: the script, then column lineage (what only decides about
// columns before what they are made of), then schemas.
// Inputs and outputs are never cut: consumers would take their absence for the end of an edge.
import { type DatasetFacets, directOnly, type EventDataset } from './datasets.ts';
import type { JobFacets, RunFacets } from './facets.ts';
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

type Cut = (event: EventBody, overflow: number) => EventBody;

const cuts: readonly Cut[] = [
  cutSql,
  (event) => ({ ...event, outputs: event.outputs.map((dataset) => ({ ...dataset, facets: directOnly(dataset.facets) })) }),
  (event) => ({ ...event, outputs: without('columnLineage', event.outputs) }),
  (event) => ({ ...event, inputs: without('schema', event.inputs) }),
  (event) => ({ ...event, outputs: without('schema', event.outputs) }),
];

/**
 * Serialises an event in at most `maxBytes` of UTF-8 where that is possible without touching inputs and outputs.
 * @returns JSON of one line
 */
export function serialise(event: EventBody, maxBytes: number): string {
  let current = event;
  let json = JSON.stringify(current);
  for (const cut of cuts) {
    const overflow = Buffer.byteLength(json, 'utf8') - maxBytes;
    if (overflow <= 0) break;
    current = cut(current, overflow);
    json = JSON.stringify(current);
  }
  return json;
}

/** Shortens the script by what is too much, down to the mark. */
function cutSql(event: EventBody, overflow: number): EventBody {
  const { sql } = event.job.facets;
  if (sql === undefined) return event;
  const mark = `\n-- cut here: the script has ${sql.query.length} characters`;
  const query = cutText(sql.query, Math.max(0, jsonTextBytes(sql.query) - overflow), mark);
  if (query.length >= sql.query.length) return event;
  return { ...event, job: { ...event.job, facets: { ...event.job.facets, sql: { ...sql, query } } } };
}

function without(key: keyof DatasetFacets, datasets: readonly EventDataset[]): EventDataset[] {
  return datasets.map(({ facets: { [key]: _, ...facets }, ...dataset }) => ({ ...dataset, facets }));
}
