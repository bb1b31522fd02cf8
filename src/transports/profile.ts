// What a backend cannot take, changed in the last step before sending; identity and events know nothing of it. Pure.
import { createHash } from 'node:crypto';
import type { Preset } from '../settings/settings.ts';

export interface Profile {
  readonly preset: Preset;
  /** Whether START says the job's id the way Spark's listener does. */
  readonly sparkProperties: boolean;
}

/** Applies the profile of a backend to an event (JSON text). An event that needs no change is returned as it is. */
export function applyProfile(event: string, { preset, sparkProperties }: Profile): string {
  const readable = sparkProperties ? withSparkProperties(event) : event;
  if (preset === 'marquez') return needsMarquez(readable) ? rewrite(readable, marquezNames) : readable;
  if (preset === 'gravitino') return readable.includes('"ordinal_position"') ? rewrite(readable, dropOrdinal) : readable;
  if (preset === 'datahub') return rewrite(datahubJobs(readable), dropTableSymlinks);
  return readable;
}

interface StartEvent {
  readonly eventType?: string;
  readonly producer?: string;
  readonly run?: {
    readonly facets?: { readonly streampark_app?: { readonly engine?: string; readonly jobId?: string; readonly clusterId?: string } };
  };
}

/**
 * Gravitino's JDBC storage of lineage takes the id of a job from the facet in which Spark's listener copies properties, and from
 * START only. StreamPark's own proposal (#4498) puts the Flink job id there, and so does this.
 */
function withSparkProperties(event: string): string {
  if (!event.includes('"eventType":"START"')) return event;
  const parsed = JSON.parse(event) as StartEvent;
  const app = parsed.run?.facets?.streampark_app;
  const id = app?.engine === 'spark' ? app.clusterId : app?.jobId;
  if (parsed.eventType !== 'START' || parsed.run === undefined || id === undefined) return event;
  const facet = {
    _producer: parsed.producer,
    _schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunFacet',
    properties: { 'spark.app.id': id },
  };
  return JSON.stringify({ ...parsed, run: { ...parsed.run, facets: { ...parsed.run.facets, spark_properties: facet } } });
}

/** Changes one member of an object that is found under the key `owner`; undefined removes it. */
type MemberRule = (name: string, value: unknown, owner: string) => unknown;

function rewrite(event: string, rule: MemberRule): string {
  const walk = (value: unknown, owner: string): unknown => {
    if (Array.isArray(value)) return value.map((item) => walk(item, owner));
    if (typeof value !== 'object' || value === null) return value;
    const members = Object.entries(value).map(([name, member]) => [name, walk(rule(name, member, owner), name)] as const);
    return Object.fromEntries(members.filter(([, member]) => member !== undefined));
  };
  return JSON.stringify(walk(JSON.parse(event), ''));
}

// Gravitino's HTTP sink converts to a model of OpenLineage 1.29, in which a schema field has no ordinal_position; such an
// event is lost after it was answered with 201.
const dropOrdinal: MemberRule = (name, value, owner) => (name === 'ordinal_position' && owner === 'fields' ? undefined : value);

// DataHub takes the job's name up to the first dot for its data flow, so a dot in an application's name would split it there;
// a symlink of type TABLE would rename the dataset and move it to the platform hive or glue.
function datahubJobs(event: string): string {
  const body = JSON.parse(event) as { job?: Named; run?: { facets?: { parent?: { job?: Named; root?: { job?: Named } } } } };
  const parent = body.run?.facets?.parent;
  const app = parent?.job?.name ?? (isApplication(body.job) ? body.job?.name : undefined);
  // A job event has no parent facet; its name is that of a sink.
  if (typeof app !== 'string' || !app.includes('.')) return event;
  const flow = app.replaceAll('.', '_');
  for (const job of [body.job, parent?.job, parent?.root?.job]) {
    if (typeof job?.name === 'string' && (job.name === app || job.name.startsWith(`${app}.`))) job.name = flow + job.name.slice(app.length);
  }
  return JSON.stringify(body);
}

interface Named {
  name?: unknown;
  readonly facets?: { readonly jobType?: { readonly jobType?: unknown } };
}
const isApplication = (job: Named | undefined): boolean => job?.facets?.jobType?.jobType === 'APPLICATION';

const dropTableSymlinks: MemberRule = (name, value, owner) => {
  if (name !== 'symlinks' || owner !== 'facets' || typeof value !== 'object' || value === null) return value;
  const { identifiers } = value as { identifiers?: unknown };
  if (!Array.isArray(identifiers)) return value;
  const others = identifiers.filter((one: { type?: unknown } | null) => one?.type !== 'TABLE');
  return others.length === 0 ? undefined : { ...value, identifiers: others };
};

// Marquez refuses a dataset namespace with other characters than these, or longer than 1,024; in a job's namespace it
// replaces them (and ; and =) with _, so that it is not found under the name it was sent with. Both are replaced here, and in the
// name of the data source, which it keeps under the same rule.
const badInDataset = /[^a-zA-Z:;=/0-9_\-.@+]/g;
const badInJob = /[^a-zA-Z:/0-9_\-.@+]/g;
const longest = 1_024;

const marquezNames: MemberRule = (name, value, owner) => {
  const isNamespace = name === 'namespace' || (name === 'name' && owner === 'dataSource');
  if (!isNamespace || typeof value !== 'string') return value;
  const clean = value.replace(owner === 'job' ? badInJob : badInDataset, '_');
  if (clean.length <= longest) return clean;
  const digest = createHash('sha256').update(value, 'utf8').digest('hex').slice(0, 16);
  return `${clean.slice(0, longest - digest.length - 1)}_${digest}`;
};

/** Whether a namespace in the text needs a change; quotes inside of other texts are escaped and do not match. */
function needsMarquez(event: string): boolean {
  for (const [, namespace = ''] of event.matchAll(/"namespace"\s*:\s*"((?:[^"\\]|\\.)*)"/g)) {
    if (namespace.length > longest || /[^a-zA-Z:/0-9_\-.@+]/.test(namespace)) return true;
  }
  return false;
}
