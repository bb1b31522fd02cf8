// What known consumers refuse, lose or misread although the event is valid. Sources: their code, or tried on the real server.
import { datasetsOf, facetHolders, isObject, type Json, textAt } from './event.ts';
import { type Finding, finding } from './rules.ts';

export const consumers = ['marquez', 'gravitino', 'datahub', 'openmetadata', 'kafka', 'aws', 'google'] as const;
export type Consumer = (typeof consumers)[number];

type Say = (path: string, message: string) => void;

const largest: Partial<Record<Consumer, number>> = { aws: 300_000, google: 5_000_000, kafka: 1_048_588 - 1_024 };

const rulesOf: Partial<Record<Consumer, (event: Json, say: Say) => void>> = { marquez, gravitino, datahub, openmetadata };

/**
 * @param bytes size of the event as UTF-8
 * @param wanted only these consumers
 */
export function limitFindings(event: Json, bytes: number, wanted: readonly Consumer[]): Finding[] {
  return wanted.flatMap((consumer) => {
    const findings: Finding[] = [];
    const say: Say = (path, message) => void findings.push({ ...finding('limit', path, message), consumer });
    const limit = largest[consumer];
    if (limit !== undefined && bytes > limit) say('', `${bytes} bytes; it takes at most ${limit}`);
    rulesOf[consumer]?.(event, say);
    return findings;
  });
}

function marquez(event: Json, say: Say): void {
  if ('run' in event && textAt(event, 'eventType') === undefined) say('', 'an event without eventType is answered with 500');
  const job = textAt(event['job'], 'namespace');
  if (job !== undefined && /[^a-zA-Z:/0-9_\-.@+]/.test(job)) say('/job/namespace', 'stored under another name: other characters become _');
  if (job !== undefined && job.length > 1_024) say('/job/namespace', 'longer than 1024 characters');
  for (const { path, dataset } of datasetsOf(event)) {
    const namespace = textAt(dataset, 'namespace') ?? '';
    const name = textAt(dataset, 'name') ?? '';
    if (/[^a-zA-Z:;=/0-9_\-.@+]/.test(namespace)) say(`${path}/namespace`, 'has characters that it refuses');
    if (namespace.length > 1_024) say(`${path}/namespace`, 'longer than 1024 characters');
    if (namespace.startsWith('jdbc:')) say(`${path}/namespace`, 'begins with jdbc: and cannot be looked up');
    if (name.length > 255) say(`${path}/name`, 'longer than 255 characters: it cannot be looked up');
    if (name.includes('\n')) say(`${path}/name`, 'has a line feed and cannot be looked up');
  }
}

function gravitino(event: Json, say: Say): void {
  if (!('run' in event)) say('', 'taken for a run event without a run: useless');
  for (const { path, facets } of facetHolders(event)) {
    const { schema } = facets;
    const fields = isObject(schema) ? schema['fields'] : undefined;
    if (Array.isArray(fields) && hasOrdinal(fields)) say(`${path}/schema/fields`, 'ordinal_position: the event is lost after 201');
    if (hasNull(facets)) say(path, 'members that are null are dropped');
  }
}

function hasOrdinal(fields: readonly unknown[]): boolean {
  return fields.some(
    (field) => isObject(field) && ('ordinal_position' in field || (Array.isArray(field['fields']) && hasOrdinal(field['fields']))),
  );
}

function hasNull(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasNull);
  return isObject(value) && Object.values(value).some((member) => member === null || hasNull(member));
}

function datahub(event: Json, say: Say): void {
  for (const key of ['producer', 'schemaURL'] as const) {
    const url = textAt(event, key);
    if (url !== undefined && !URL.canParse(url)) say(`/${key}`, 'relative: it is refused');
  }
  for (const { path, facets } of facetHolders(event)) {
    for (const [key, facet] of Object.entries(facets)) {
      for (const stamp of ['_producer', '_schemaURL'] as const) {
        const url = textAt(facet, stamp);
        if (url !== undefined && !URL.canParse(url)) say(`${path}/${key}/${stamp}`, 'relative: it is refused');
      }
    }
  }
}

function openmetadata(event: Json, say: Say): void {
  for (const { path, dataset } of datasetsOf(event)) {
    const name = textAt(dataset, 'name') ?? '';
    if (name !== '' && !name.includes('.')) say(`${path}/name`, 'is found only as schema.table or catalog.schema.table');
  }
}
