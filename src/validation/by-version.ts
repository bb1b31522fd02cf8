// Holds events against the specification's own files, each by the version that it names: the event by `schemaURL`, a facet by
// `_schemaURL`. What names a file that is not there is held against the newest one of its kind; a facet without any is reported.
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { facetHolders, isObject, type Json, textAt } from './event.ts';
import { type Finding, finding, step } from './rules.ts';

/** Checks one event against schemas. */
export type SchemaCheck = (event: Json) => Promise<readonly Finding[]>;

interface Schema {
  readonly $id: string;
  readonly properties?: Json;
}

/**
 * @param files parsed schema files by any key; those without an `$id` are left out, of two with one `$id` the first counts
 * @throws Error when there is no core schema (`…/OpenLineage.json`) among them
 */
export function versionedCheck(files: Readonly<Record<string, unknown>>): SchemaCheck {
  const schemas = new Map<string, Schema>();
  for (const file of Object.values(files)) {
    const id = textAt(file, '$id')?.replace(/#$/, '');
    if (id !== undefined && !schemas.has(id)) schemas.set(id, file as Schema);
  }
  const cores = [...schemas.keys()].filter((id) => id.endsWith('/OpenLineage.json')).sort(byVersion);
  const newestCore = cores.at(-1);
  if (newestCore === undefined) throw new Error('the core schema OpenLineage.json is missing');
  const newestOf = newestFacets(schemas);

  let compiling: Promise<(ref: string) => ValidateFunction | undefined> | undefined;
  const compiled = () => {
    compiling ??= compiler(schemas);
    return compiling;
  };

  return async (event) => {
    const get = await compiled();
    const kind = kindOf(event);
    const said = textAt(event, 'schemaURL')?.split('#', 1)[0] ?? '';
    const core = (cores.includes(said) ? get(`${said}#/$defs/${kind}`) : undefined) ?? get(`${newestCore}#/$defs/${kind}`);
    const findings = faults(core, event, '');
    for (const { path, owner, facets } of facetHolders(event)) {
      for (const [key, facet] of Object.entries(facets)) {
        const named = textAt(facet, '_schemaURL')?.split('#', 1)[0] ?? '';
        const file = schemas.has(named) && schemas.get(named)?.properties?.[key] !== undefined ? named : newestOf(owner, key);
        // A custom facet that follows a file of another key: the definition itself.
        const check = file === undefined ? (schemas.has(named) ? get(textAt(facet, '_schemaURL') ?? '') : undefined) : get(file);
        if (check !== undefined)
          findings.push(...faults(check, file === undefined ? facet : { [key]: facet }, file === undefined ? path + step(key) : path));
        else if (isObject(facet))
          findings.push(finding('schema-unknown', path + step(key), `not checked: ${named === '' ? 'no _schemaURL' : named}`));
      }
    }
    return findings;
  };
}

async function compiler(schemas: ReadonlyMap<string, Schema>): Promise<(ref: string) => ValidateFunction | undefined> {
  const [{ Ajv2020 }, formats] = await Promise.all([import('ajv/dist/2020.js'), import('ajv-formats')]);
  // The files hold the keyword `example` and name properties of their neighbours, which strict mode refuses.
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false });
  formats.default.default(ajv);
  for (const schema of schemas.values()) ajv.addSchema(schema);
  const known = new Map<string, ValidateFunction | undefined>();
  return (ref) => {
    if (!known.has(ref)) {
      try {
        known.set(ref, ajv.getSchema(ref));
      } catch {
        // It refers to a file that is not there.
        known.set(ref, undefined);
      }
    }
    return known.get(ref);
  };
}

function faults(check: ValidateFunction | undefined, value: unknown, path: string): Finding[] {
  if (check === undefined || check(value)) return [];
  return (check.errors ?? []).map((error) => finding('schema', path + error.instancePath, messageOf(error)));
}

function messageOf({ message, keyword, params }: ErrorObject): string {
  if (keyword === 'enum') return `${message}: ${(params as { allowedValues: unknown[] }).allowedValues.join(', ')}`;
  return message ?? keyword;
}

/** What the event says it is; an event that does not say is judged by what it holds. */
function kindOf(event: Json): string {
  const said = /#\/\$defs\/(RunEvent|JobEvent|DatasetEvent)$/.exec(textAt(event, 'schemaURL') ?? '');
  if (said !== null) return said[1] as string;
  if ('run' in event) return 'RunEvent';
  if ('dataset' in event) return 'DatasetEvent';
  return 'job' in event ? 'JobEvent' : 'RunEvent';
}

/** The newest file that describes a facet key of an owner, by `/facets/<version>/<Name><Owner>Facet.json`. */
function newestFacets(schemas: ReadonlyMap<string, Schema>): (owner: string, key: string) => string | undefined {
  const newest = new Map<string, string>();
  for (const [id, { properties }] of schemas) {
    const owner = /([A-Za-z]*?)(InputDataset|OutputDataset|Dataset|Job|Run)?Facet\.json$/.exec(id)?.[2];
    if (!/\/facets\//.test(id)) continue;
    const owners = owner === undefined ? ['Run', 'Job', 'Dataset'] : [owner];
    for (const place of owners.flatMap((one) => Object.keys(properties ?? {}).map((key) => `${one} ${key}`))) {
      const before = newest.get(place);
      if (before === undefined || byVersion(before, id) < 0) newest.set(place, id);
    }
  }
  return (owner, key) => newest.get(`${owner} ${key}`);
}

/** By the version in the path, such as 1-0-2, part by part. */
function byVersion(a: string, b: string): number {
  const parts = (id: string) => (/\/(\d+)-(\d+)-(\d+)\//.exec(id) ?? []).slice(1).map(Number);
  const [left, right] = [parts(a), parts(b)];
  for (const i of [0, 1, 2]) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}
