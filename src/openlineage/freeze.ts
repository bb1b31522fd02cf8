// What a run is reported as, frozen at its START: ids, names, texts and lineage. Later edits of the script, of names or of
// settings do not touch an open run, because every later event is made from this value alone.
import type { ErrorCode } from '../errors/errors.ts';
import { maskTable, type NamedLineage, type NamedPipeline } from '../identity/identity.ts';
import type { AppContext, AppRow, Engine, RunEvidence } from '../watch/watch.ts';
import { childRunId, parentRunId } from './ids.ts';
import { sinkJobNames } from './naming.ts';
import type { AppFacts, FrozenChild, FrozenRun } from './openlineage.ts';
import { cleanText, cutText } from './text.ts';

/** Everything known about a run when it is decided. */
export interface FreezeInput {
  /** Result of `identityText`, suffixes included. */
  readonly identity: string;
  readonly app: AppRow;
  readonly context: AppContext;
  readonly attempt: number;
  readonly evidence: RunEvidence;
  /** The application's run before this one, else null. */
  readonly previousRunId: string | null;
  /** Why that one ended. */
  readonly previousEnd?: string | null;
  /** Jobs that this one is declared to depend on. */
  readonly upstream?: readonly { readonly namespace: string; readonly name: string }[];
  readonly namespace: string;
  /** Result of `jobName`. */
  readonly jobName: string;
  readonly naming: 'sink' | 'app';
  readonly processing: 'STREAMING' | 'BATCH';
  readonly engineVersion: string | null;
  /** Text for the sql facet with secrets already masked; null = no facet. */
  readonly sql: string | null;
  /** Of an application without a script; masked. */
  readonly code: FrozenRun['code'];
  readonly program: { readonly tool: string; readonly action: string } | null;
  readonly sqlId: string | null;
  readonly sqlVersion: number | null;
  /** Web address of the script; anything but an http(s) URL counts as unknown. */
  readonly sourceUrl: string | null;
  /** null = the application's own run only (failed submission, mapped job, script gone, planner gone). */
  readonly lineage: NamedLineage | null;
  readonly builtIn: { readonly catalog: string; readonly database: string };
  /** Codes that say why lineage is missing or partial; the reasons of skipped tables are added. */
  readonly notes: readonly ErrorCode[];
  /** Masks secrets in the description and in comments; the values of variables are known now and are not kept. */
  readonly mask: (text: string) => string;
  /** The clock, ms since the epoch. */
  readonly now: number;
}

const longestDescription = 4096;
const longestTag = 200;
/** Names and ids around an application; StreamPark's columns are no wider, and events must stay within their limit. */
const longestName = 1024;

/** Freezes a run. The result holds no option and survives a round trip through JSON. */
export function freezeRun(input: FreezeInput): FrozenRun {
  const pipelines = input.lineage?.pipelines ?? [];
  return {
    engine: input.app.engine,
    namespace: input.namespace,
    jobName: input.jobName,
    runId: parentRunId(input.identity),
    naming: input.naming,
    processing: input.processing,
    engineVersion: text(input.engineVersion),
    sql: text(input.sql, Number.POSITIVE_INFINITY),
    code: input.code == null ? null : { language: input.code.language, text: cleanText(input.code.text) },
    source: sourceOf(input),
    project: projectOf(input),
    tags: (input.context.tags ?? []).flatMap((tag) => text(input.mask(tag), longestTag) ?? []),
    upstream: input.upstream ?? [],
    owner: text(input.context.userName),
    description: text(input.context.description === null ? null : input.mask(input.context.description), longestDescription),
    app: appFacts(input, pipelines),
    children: childrenOf(input, pipelines),
    startedAt: Math.min(input.evidence.startedAt, input.now),
  };
}

function childrenOf(input: FreezeInput, pipelines: readonly NamedPipeline[]): FrozenChild[] {
  const sinks = pipelines.map((pipeline) => pipeline.sink);
  const names = input.naming === 'app' ? [] : sinkJobNames(input.jobName, sinks, input.builtIn);
  return pipelines.map((pipeline, i) => ({
    runId: childRunId(input.identity, pipeline.sink.dataset),
    jobName: names[i] ?? input.jobName,
    pipeline: {
      ...pipeline,
      sink: maskTable(pipeline.sink, input.mask),
      inputs: pipeline.inputs.map((table) => maskTable(table, input.mask)),
      ...(pipeline.partitions !== undefined && { partitions: maskedPartitions(pipeline.partitions, input.mask) }),
    },
  }));
}

const maskedPartitions = (partitions: NonNullable<NamedPipeline['partitions']>, mask: (text: string) => string) =>
  partitions.map((values) => Object.fromEntries(Object.entries(values).map(([key, value]) => [key, mask(value)])));

function appFacts(input: FreezeInput, pipelines: readonly NamedPipeline[]): AppFacts {
  const { app, evidence, context } = input;
  const skipped = (input.lineage?.skipped ?? []).filter((table) => !table.silent).map((table) => table.reason);
  return {
    engine: app.engine,
    appId: app.id,
    team: text(context.teamName) ?? text(app.teamId),
    clusterId: text(evidence.yarnId ?? app.clusterId),
    jobId: text(evidence.jobId),
    deployMode: deployModeName(app.engine, app.deployMode),
    attempt: input.attempt,
    tier: weakestTier(pipelines),
    sqlId: input.sqlId,
    sqlVersion: input.sqlVersion,
    previousRunId: input.previousRunId,
    ...(input.previousEnd != null && { previousEnd: input.previousEnd }),
    ...(input.program !== null && { tool: input.program.tool, action: cleanText(input.program.action) }),
    notes: [...new Set([...input.notes, ...skipped])].sort(),
  };
}

/** RFC 3986 in its plain form; user info counts as no address, for it may hold a password. */
const webAddress = /^https?:\/\/(?:[\w\-.~:/?!$&'()*+,;=]|%[\da-f]{2})+(?:#(?:[\w\-.~:/?!$&'()*+,;=]|%[\da-f]{2})*)?$/i;

function sourceOf({ sourceUrl, sqlVersion }: FreezeInput): FrozenRun['source'] {
  if (sourceUrl === null || !URL.canParse(sourceUrl) || !webAddress.test(sourceUrl)) return null;
  return { url: sourceUrl, version: sqlVersion === null ? null : String(sqlVersion) };
}

/** `git@host:group/project.git` of git itself, or a URL; whatever stands before the host may be a password and is cut. */
const scp = /^(?:[^@\s/]*@)?([\w.-]+):(?!\/\/)([\w\-.~/]+)$/;
const repository = /^(https?|ssh|git):\/\/([^\s?#]+)(?:[?#]\S*)?$/i;
const hostAndPath = /^[\w.-]+(?::\d{1,5})?\/(?:[\w\-.~!$&'()*+,;=:/]|%[\da-f]{2})+$/i;

function projectOf({ context: { project } }: FreezeInput): NonNullable<FrozenRun['project']> | null {
  const url = project == null ? null : repositoryUrl(project.url.trim());
  return project == null || url === null ? null : { url, branch: text(project.branch), path: text(project.module) };
}

/** The address of a repository without user info, query and fragment; null where that is not certain. */
function repositoryUrl(given: string): string | null {
  const [, host, path = ''] = scp.exec(given) ?? [];
  if (host !== undefined) return `ssh://${host}/${path.replace(/^\/+/, '')}`;
  const [, scheme = '', rest = ''] = repository.exec(given) ?? [];
  const bare = rest.slice(rest.lastIndexOf('@') + 1);
  return hostAndPath.test(bare) ? `${scheme.toLowerCase()}://${bare}` : null;
}

/** A run is only as certain as its least certain pipeline. */
function weakestTier(pipelines: readonly NamedPipeline[]): string {
  const tiers = new Set(pipelines.map((pipeline) => pipeline.tier));
  return (['text', 'tree', 'plan'] as const).find((tier) => tiers.has(tier)) ?? 'none';
}

/** Names of deploy modes as StreamPark's enums FlinkDeployMode and SparkDeployMode spell them. */
const deployModes: Readonly<Record<Engine, readonly string[]>> = {
  flink: ['local', 'remote', 'yarn-per-job', 'yarn-session', 'yarn-application', 'kubernetes-session', 'kubernetes-application'],
  spark: ['local', 'remote', 'yarn-cluster', 'yarn-client', 'kubernetes-cluster', 'kubernetes-client'],
};

const deployModeName = (engine: Engine, mode: number): string => deployModes[engine][mode] ?? 'unknown';

/** Storable text; blank counts as absent. */
function text(value: string | null, maxBytes = longestName): string | null {
  return value === null || value.trim() === '' ? null : cutText(cleanText(value), maxBytes, '…');
}
