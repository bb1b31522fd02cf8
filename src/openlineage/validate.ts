// Checks events against JSON Schemas: the event itself by its kind, and every facet whose schema is among those given.
// The schemas come in as values (a pure stage reads no files); ajv is loaded and the schemas compiled on first use only.
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

/** One thing wrong with an event. `path` is a JSON Pointer into it, empty for the event as a whole. */
export interface EventFault {
  readonly path: string;
  readonly message: string;
}

/** @returns what is wrong with the event; empty = valid */
export type Validator = (event: unknown) => Promise<readonly EventFault[]>;

type Kind = 'RunEvent' | 'JobEvent' | 'DatasetEvent';
type FacetOwner = 'Run' | 'Job' | 'Dataset';

/**
 * Makes a validator.
 * @param schemas parsed schema files by any key, the core among them; a facet file's `$id` says whose facet it is
 *   (`…JobFacet.json`), and its root schema describes the object that holds the facets, as the specification's files do
 * @throws Error when the core schema is missing
 */
export function createValidator(schemas: Readonly<Record<string, unknown>>): Validator {
  const ids = Object.values(schemas).map(idOf);
  const core = ids.find((id) => id.endsWith('/OpenLineage.json'));
  if (core === undefined) throw new Error('the core schema OpenLineage.json is missing');
  const compile = lazily(async () => {
    const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    formats.default.default(ajv);
    for (const schema of Object.values(schemas)) ajv.addSchema(schema as object);
    return (kind: Kind): ValidateFunction => ajv.getSchema(kind) ?? ajv.compile({ $id: kind, ...eventSchema(kind, core, ids) });
  });
  return async (event) => {
    const check = (await compile())(kindOf(event));
    return check(event) ? [] : (check.errors ?? []).map(faultOf);
  };
}

function idOf(schema: unknown): string {
  const id = (schema as { $id?: unknown } | null)?.$id;
  return typeof id === 'string' ? id : '';
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

/** What the event says it is; an event that does not say is judged by what it holds. */
function kindOf(event: unknown): Kind {
  const fields: { schemaURL?: unknown; run?: unknown; dataset?: unknown; job?: unknown } = typeof event === 'object' && event ? event : {};
  const said = /#\/\$defs\/(RunEvent|JobEvent|DatasetEvent)$/.exec(typeof fields.schemaURL === 'string' ? fields.schemaURL : '');
  if (said !== null) return said[1] as Kind;
  if ('run' in fields) return 'RunEvent';
  if ('dataset' in fields) return 'DatasetEvent';
  return 'job' in fields ? 'JobEvent' : 'RunEvent';
}

/** Files that describe facets of several owners; where such a facet may stand is said here. */
const lineageFile = '/LineageFacet.json';
const subsetFile = '/BaseSubsetDatasetFacet.json';

/** The core's schema of a kind, and the facet schemas wherever such facets stand. */
function eventSchema(kind: Kind, core: string, ids: readonly string[]): object {
  const named = (file: string) => ids.filter((id) => id.endsWith(file));
  const facets = (owner: FacetOwner) => {
    const own = named(`${owner}Facet.json`).filter((id) => !id.endsWith(subsetFile));
    const lineage = owner === 'Run' ? [] : named(lineageFile).map((id) => `${id}#/$defs/Lineage${owner}Facet`);
    const all = [...own.map(($ref) => ({ $ref })), ...lineage.map(($ref) => ({ properties: { lineage: { $ref } } }))];
    return { properties: { facets: { allOf: [true, ...all] } } };
  };
  const side = (key: 'inputFacets' | 'outputFacets', definition: string) => {
    const subset = named(subsetFile).map((id) => ({ properties: { subset: { $ref: `${id}#/$defs/${definition}` } } }));
    return { items: { allOf: [facets('Dataset'), { properties: { [key]: { allOf: [true, ...subset] } } }] } };
  };
  return {
    allOf: [{ $ref: `${core}#/$defs/${kind}` }],
    properties: {
      run: facets('Run'),
      job: facets('Job'),
      dataset: facets('Dataset'),
      inputs: side('inputFacets', 'InputSubsetInputDatasetFacet'),
      outputs: side('outputFacets', 'OutputSubsetOutputDatasetFacet'),
    },
  };
}

function faultOf({ instancePath, message, keyword, params }: ErrorObject): EventFault {
  const detail = keyword === 'enum' ? `${message}: ${(params as { allowedValues: unknown[] }).allowedValues.join(', ')}` : message;
  return { path: instancePath, message: detail ?? keyword };
}
