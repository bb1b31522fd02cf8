// The parts of an event that the rules look at. Nothing is sure about them but that they were JSON.

export type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

export const textAt = (value: unknown, key: string): string | undefined => {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === 'string' ? member : undefined;
};

/** The objects that hold facets, each with its path and whose facets they are. */
export interface FacetHolder {
  readonly path: string;
  readonly owner: 'Run' | 'Job' | 'Dataset' | 'InputDataset' | 'OutputDataset';
  readonly facets: Json;
}

/** A dataset of an event with its path. */
export interface PlacedDataset {
  readonly path: string;
  readonly dataset: Json;
}

export function datasetsOf(event: Json): PlacedDataset[] {
  const lists = (['inputs', 'outputs'] as const).flatMap((key) => {
    const list = event[key];
    return Array.isArray(list) ? list.map((dataset: unknown, i) => ({ path: `/${key}/${i}`, dataset })) : [];
  });
  const all = [...lists, { path: '/dataset', dataset: event['dataset'] }];
  return all.filter((one): one is PlacedDataset => isObject(one.dataset));
}

export function facetHolders(event: Json): FacetHolder[] {
  const holders: FacetHolder[] = [];
  const add = (path: string, owner: FacetHolder['owner'], facets: unknown) => {
    if (isObject(facets)) holders.push({ path, owner, facets });
  };
  if (isObject(event['run'])) add('/run/facets', 'Run', event['run']['facets']);
  if (isObject(event['job'])) add('/job/facets', 'Job', event['job']['facets']);
  for (const { path, dataset } of datasetsOf(event)) {
    add(`${path}/facets`, 'Dataset', dataset['facets']);
    if (path.startsWith('/inputs/')) add(`${path}/inputFacets`, 'InputDataset', dataset['inputFacets']);
    if (path.startsWith('/outputs/')) add(`${path}/outputFacets`, 'OutputDataset', dataset['outputFacets']);
  }
  return holders;
}
