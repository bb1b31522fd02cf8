// An event as a consumer of an older specification can take it: facets at the versions that it knows, without what later versions
// added. Works on any producer's events; what is older already stays as it is.

/** Versions by facet key; `none` leaves the facet out. What is not named stays as it is. */
export interface Pins {
  readonly core: string;
  readonly facets: Readonly<Record<string, string | undefined>>;
}

type Json = Readonly<Record<string, unknown>>;
const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What later versions of a facet added: the version, and how to be without it. */
const additions: Readonly<Record<string, readonly { readonly since: string; readonly without: (facet: Json) => Json }[]>> = {
  sql: [{ since: '1-1-0', without: ({ dialect: _, ...facet }) => facet }],
  parent: [{ since: '1-1-0', without: ({ root: _, ...facet }) => facet }],
  jobType: [{ since: '2-0-4', without: ({ emissionPattern: _, ...facet }) => facet }],
  sourceCodeLocation: [{ since: '1-1-0', without: ({ pullRequestNumber: _, ...facet }) => facet }],
  documentation: [{ since: '1-1-0', without: ({ contentType: _, ...facet }) => facet }],
  schema: [
    { since: '1-2-0', without: (facet) => eachField(facet, ({ ordinal_position: _, ...field }) => field) },
    { since: '1-1-0', without: (facet) => eachField(facet, ({ fields: _, ...field }) => field) },
  ],
  columnLineage: [
    { since: '1-2-0', without: ({ dataset: _, ...facet }) => facet },
    { since: '1-1-0', without: withoutTransformations },
  ],
};

/**
 * The event (JSON text) at the versions; null for an event of a kind that the core version does not have.
 * An event that is at them already comes back as the same text.
 */
export function atVersions(event: string, { core, facets }: Pins): string | null {
  const body = JSON.parse(event) as Json;
  if (core.startsWith('1-') && !('run' in body)) return null;
  const at = (holder: unknown, keys: readonly string[]): unknown => {
    if (!isRecord(holder)) return holder;
    const changed = keys.flatMap((key) => (isRecord(holder[key]) ? [[key, facetsAt(holder[key], facets)] as const] : []));
    return { ...holder, ...Object.fromEntries(changed) };
  };
  const datasets = (list: unknown) =>
    Array.isArray(list) ? list.map((dataset) => at(dataset, ['facets', 'inputFacets', 'outputFacets'])) : list;
  const pinned: Json = {
    ...body,
    ...('schemaURL' in body && { schemaURL: olderUrl(body['schemaURL'], core) }),
    ...('run' in body && { run: at(body['run'], ['facets']) }),
    ...('job' in body && { job: at(body['job'], ['facets']) }),
    ...('inputs' in body && { inputs: datasets(body['inputs']) }),
    ...('outputs' in body && { outputs: datasets(body['outputs']) }),
    ...('dataset' in body && { dataset: at(body['dataset'], ['facets']) }),
  };
  return JSON.stringify(pinned);
}

function facetsAt(facets: Json, pins: Pins['facets']): Json {
  return Object.fromEntries(
    Object.entries(facets).flatMap(([key, facet]) => {
      const version = Object.hasOwn(pins, key) ? pins[key] : undefined;
      if (version === undefined || !isRecord(facet)) return [[key, facet]];
      if (version === 'none') return [];
      const url = olderUrl(facet['_schemaURL'], version);
      if (url === facet['_schemaURL']) return [[key, facet]];
      const lost = (additions[key] ?? []).filter(({ since }) => newer(since, version));
      return [[key, { ...lost.reduce<Json>((less, { without }) => without(less), facet), _schemaURL: url }]];
    }),
  );
}

const versioned = /^(https:\/\/openlineage\.io\/spec\/(?:facets\/)?)(\d+-\d+-\d+)(\/)/;

/** The address with the version in it, where it names a newer one of the specification. */
function olderUrl(url: unknown, version: string): unknown {
  if (typeof url !== 'string') return url;
  const said = versioned.exec(url)?.[2];
  return said === undefined || !newer(said, version) ? url : url.replace(versioned, `$1${version}$3`);
}

function newer(a: string, b: string): boolean {
  const [left, right] = [a.split('-').map(Number), b.split('-').map(Number)];
  const at = [0, 1, 2].find((i) => left[i] !== right[i]);
  return at !== undefined && (left[at] ?? 0) > (right[at] ?? 0);
}

/** Fields of all depths. */
function eachField(facet: Json, change: (field: Json) => Json): Json {
  const fields = facet['fields'];
  if (!Array.isArray(fields)) return facet;
  return { ...facet, fields: fields.map((field) => (isRecord(field) ? eachField(change(field), change) : field)) };
}

/** Before transformations there was no way to say that an input only decides; those inputs are left out. */
function withoutTransformations(facet: Json): Json {
  const fields = facet['fields'];
  if (!isRecord(fields)) return facet;
  const isDirect = (transformation: unknown) => isRecord(transformation) && transformation['type'] === 'DIRECT';
  const columns = Object.entries(fields).map(([name, column]) => {
    const inputs = isRecord(column) ? column['inputFields'] : undefined;
    if (!isRecord(column) || !Array.isArray(inputs)) return [name, column] as const;
    const inputFields = inputs.flatMap((input) => {
      if (!isRecord(input) || !Array.isArray(input['transformations'])) return [input];
      const { transformations, ...plain } = input;
      return (transformations as unknown[]).some(isDirect) ? [plain] : [];
    });
    return [name, { ...column, inputFields }] as const;
  });
  return { ...facet, fields: Object.fromEntries(columns) };
}
