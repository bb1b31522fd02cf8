// The facets of a dataset that tell of the table behind it: source, version, storage, catalog, comment.
import type { NamedTable, TableTraits } from '../identity/identity.ts';
import { type Facet, facet } from './facets.ts';
import { cleanText, cutText } from './text.ts';

export interface TraitFacets {
  readonly dataSource?: Facet;
  readonly version?: Facet;
  readonly storage?: Facet;
  readonly catalog?: Facet;
  readonly documentation?: Facet;
}

const longestComment = 4096;

/**
 * Facets of the tables that stand for one dataset; where two of them disagree, nothing is said.
 * A heartbeat has only `dataSource`, which some consumers take for missing otherwise.
 */
export function traitFacets(
  { producer, lean, isBatch }: { readonly producer: string; readonly lean: boolean; readonly isBatch: boolean },
  tables: readonly NamedTable[],
  side: 'input' | 'output',
): TraitFacets {
  const namespace = tables[0]?.dataset.namespace ?? '';
  const dataSource = facet(producer, 'dataSource', { name: namespace, ...(isUri(namespace) && { uri: namespace }) });
  if (lean) return { dataSource };
  const agreed = <K extends keyof TableTraits>(key: K): NonNullable<TableTraits[K]> | undefined => agreedOn(tables, key);
  const [version, storage, catalog, comment] = [agreed('version'), agreed('storage'), agreed('catalog'), agreed('comment')];
  return {
    dataSource,
    ...(version !== undefined &&
      side === 'input' &&
      (isBatch || !version.batchOnly) && { version: facet(producer, 'version', { datasetVersion: cleanText(version.value) }) }),
    ...(storage !== undefined && {
      storage: facet(producer, 'storage', {
        storageLayer: storage.layer,
        ...(storage.format !== undefined && { fileFormat: cleanText(storage.format) }),
      }),
    }),
    ...(catalog !== undefined && { catalog: facet(producer, 'catalog', { ...catalog, source: 'flink' }) }),
    ...(comment !== undefined && {
      documentation: facet(producer, 'datasetDocumentation', { description: cutText(cleanText(comment), longestComment, '…') }),
    }),
  };
}

function agreedOn<K extends keyof TableTraits>(tables: readonly NamedTable[], key: K): NonNullable<TableTraits[K]> | undefined {
  const said = tables.map(({ traits }) => traits?.[key]);
  const distinct = new Set(said.map((value) => JSON.stringify(value)));
  return distinct.size === 1 ? (said[0] ?? undefined) : undefined;
}

/** RFC 3986 with a plain host; a namespace such as `kafka://a:1,b:2` or `bigquery` is none. */
const uri =
  /^[a-z][a-z\d+.-]*:\/\/(?:[\w.-]+@)?(?:[\w\-.~!$&'()*+;=]|%[\da-f]{2})+(?::\d{1,5})?(?:\/(?:[\w\-.~!$&'()*+,;=:@/]|%[\da-f]{2})*)?$/i;

const isUri = (namespace: string): boolean => uri.test(namespace);
