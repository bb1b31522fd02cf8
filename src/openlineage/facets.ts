// The facets we emit, each stamped with its producer and the published schema version that describes it.
// Versions are those of the model in Gravitino 1.x (openlineage-java 1.29.0), which takes them without loss; `parent` and `sql`
// are one version later, the first to describe `root` and `dialect`, which that model keeps as additional properties.
import type { FrozenChild, FrozenRun, Moment } from './openlineage.ts';
import { cleanText, cutText } from './text.ts';

const project = 'https://github.com/streampark-lineage/streampark-lineage';
const spec = 'https://openlineage.io/spec';

/** URI of this program at a version: `producer` and `_producer`. */
export const producerUri = (version: string): string => `${project}/v${version}`;

const definition = (file: string, name: string): string => `${file}/${name}.json#/$defs/${name}`;

/** `schemaURL` by kind of event. */
export const eventSchemas = {
  run: `${spec}/2-0-2/OpenLineage.json#/$defs/RunEvent`,
  job: `${spec}/2-0-2/OpenLineage.json#/$defs/JobEvent`,
} as const;

/** `_schemaURL` by key of the facet; two facets of one key are told apart by their owner. */
export const facetSchemas = {
  jobType: definition(`${spec}/facets/2-0-3`, 'JobTypeJobFacet'),
  sql: definition(`${spec}/facets/1-1-0`, 'SQLJobFacet'),
  ownership: definition(`${spec}/facets/1-0-1`, 'OwnershipJobFacet'),
  documentation: definition(`${spec}/facets/1-0-1`, 'DocumentationJobFacet'),
  tags: definition(`${spec}/facets/1-0-0`, 'TagsJobFacet'),
  sourceCodeLocation: definition(`${spec}/facets/1-0-1`, 'SourceCodeLocationJobFacet'),
  processing_engine: definition(`${spec}/facets/1-1-1`, 'ProcessingEngineRunFacet'),
  parent: definition(`${spec}/facets/1-1-0`, 'ParentRunFacet'),
  jobDependencies: definition(`${spec}/facets/1-0-1`, 'JobDependenciesRunFacet'),
  errorMessage: definition(`${spec}/facets/1-0-1`, 'ErrorMessageRunFacet'),
  schema: definition(`${spec}/facets/1-1-1`, 'SchemaDatasetFacet'),
  symlinks: definition(`${spec}/facets/1-0-1`, 'SymlinksDatasetFacet'),
  columnLineage: definition(`${spec}/facets/1-2-0`, 'ColumnLineageDatasetFacet'),
  dataSource: definition(`${spec}/facets/1-0-1`, 'DatasourceDatasetFacet'),
  version: definition(`${spec}/facets/1-0-1`, 'DatasetVersionDatasetFacet'),
  storage: definition(`${spec}/facets/1-0-1`, 'StorageDatasetFacet'),
  catalog: definition(`${spec}/facets/1-0-0`, 'CatalogDatasetFacet'),
  datasetDocumentation: definition(`${spec}/facets/1-0-1`, 'DocumentationDatasetFacet'),
  subset: `${spec}/facets/1-0-0/BaseSubsetDatasetFacet.json#/$defs/OutputSubsetOutputDatasetFacet`,
  sourceCode: definition(`${spec}/facets/1-0-1`, 'SourceCodeJobFacet'),
  lineage: `${spec}/facets/1-0-0/LineageFacet.json#/$defs/LineageJobFacet`,
  streampark_app: definition(`${project}/schemas/1-0-0`, 'StreamparkAppRunFacet'),
  streampark_cut: definition(`${project}/schemas/1-0-0`, 'StreamparkCutJobFacet'),
} as const;

export type FacetKey = keyof typeof facetSchemas;

/** A facet: its stamp and its content. */
export type Facet<T = unknown> = { readonly _producer: string; readonly _schemaURL: string } & T;

const anyFacet = (owner: 'Run' | 'Job' | 'Dataset') => `${spec}/2-0-2/OpenLineage.json#/$defs/${owner}Facet`;

/** Facets that an extension adds, with the stamps that they lack. */
export const stamped = (
  producer: string,
  owner: 'Run' | 'Job' | 'Dataset',
  added: Readonly<Record<string, object>> | undefined,
): Readonly<Record<string, Facet>> =>
  Object.fromEntries(
    Object.entries(added ?? {}).map(([key, content]) => [key, { _producer: producer, _schemaURL: anyFacet(owner), ...content }]),
  );

/** Stamps the content of a facet. */
export const facet = <T extends object>(producer: string, key: FacetKey, content: T): Facet<T> => ({
  _producer: producer,
  _schemaURL: facetSchemas[key],
  ...content,
});

export interface JobFacets {
  readonly jobType: Facet;
  readonly sql?: Facet<{ readonly query: string; readonly dialect: string }>;
  readonly sourceCode?: Facet<{ readonly language: string; readonly sourceCode: string }>;
  readonly sourceCodeLocation?: Facet;
  readonly ownership?: Facet;
  readonly documentation?: Facet;
  readonly tags?: Facet;
  readonly lineage?: Facet;
  readonly streampark_cut?: Facet<{ readonly cuts: readonly Cut[] }>;
}

/** Something left out for its size. `kept` and `total` count characters of a text, fields, or output columns. */
export interface Cut {
  readonly facet: string;
  readonly of: 'job' | 'inputs' | 'outputs';
  readonly kept: number;
  readonly total: number;
}

export interface RunFacets {
  readonly parent?: Facet;
  readonly processing_engine?: Facet;
  readonly jobDependencies?: Facet;
  readonly errorMessage?: Facet;
  readonly streampark_app: Facet;
}

/** Facets of a job: the application's own, or one sink's, which carries the script as well. */
export function jobFacets(producer: string, run: FrozenRun, role: 'APPLICATION' | 'JOB'): JobFacets {
  const { source, project, sql, code, owner, description, tags = [] } = run;
  return {
    jobType: facet(producer, 'jobType', { processingType: run.processing, integration: run.engine.toUpperCase(), jobType: role }),
    ...(role === 'JOB' && sql !== null && { sql: facet(producer, 'sql', { query: sql, dialect: run.engine }) }),
    ...(code != null && { sourceCode: facet(producer, 'sourceCode', { language: code.language, sourceCode: code.text }) }),
    ...(role === 'JOB' &&
      source !== null && {
        sourceCodeLocation: facet(producer, 'sourceCodeLocation', {
          type: 'streampark',
          url: source.url,
          ...(source.version !== null && { version: source.version }),
        }),
      }),
    ...(project != null && {
      sourceCodeLocation: facet(producer, 'sourceCodeLocation', {
        type: 'git',
        url: project.url,
        repoUrl: project.url,
        ...(project.path !== null && { path: project.path }),
        ...(project.branch !== null && { branch: project.branch }),
      }),
    }),
    ...(tags.length > 0 && {
      tags: facet(producer, 'tags', { tags: tags.map((key) => ({ key, value: 'true', source: 'STREAMPARK' })) }),
    }),
    ...(owner !== null && { ownership: facet(producer, 'ownership', { owners: [{ name: `user:${owner}` }] }) }),
    ...(description !== null && { documentation: facet(producer, 'documentation', { description }) }),
  };
}

/** What the run facets of one moment are made of; `child` null = the application's own run. */
export interface RunFacetInput {
  readonly producer: string;
  readonly version: string;
  readonly run: FrozenRun;
  readonly child: FrozenChild | null;
  readonly moment: Moment;
  readonly mask: (text: string) => string;
}

/** Facets of a run at a moment. */
export function runFacets({ producer, version, run, child, moment, mask }: RunFacetInput): RunFacets {
  const self = { run: { runId: run.runId }, job: { namespace: run.namespace, name: run.jobName } };
  return {
    ...(child !== null && run.naming === 'sink' && { parent: facet(producer, 'parent', { ...self, root: self }) }),
    ...(run.engineVersion !== null && {
      processing_engine: facet(producer, 'processing_engine', {
        version: run.engineVersion,
        name: run.engine,
        openlineageAdapterVersion: version,
      }),
    }),
    ...(child === null &&
      (run.upstream ?? []).length > 0 && {
        jobDependencies: facet(producer, 'jobDependencies', { upstream: run.upstream?.map((job) => ({ job })) }),
      }),
    ...(moment.type === 'FAIL' && {
      errorMessage: facet(producer, 'errorMessage', { message: errorText(moment, mask), programmingLanguage: 'SQL' }),
    }),
    streampark_app: appFacet(producer, run, child, moment),
  };
}

/** 4 KB of the masked message; StreamPark keeps none for most failures, and the facet requires one. */
function errorText({ message, reason }: Moment, mask: (text: string) => string): string {
  const given = message?.trim() ? message.trim() : `The application ended as ${reason ?? 'FAILED'}; StreamPark keeps no message for it.`;
  return cutText(cleanText(mask(given)), 4096, ' … (cut)');
}

function appFacet(producer: string, run: FrozenRun, child: FrozenChild | null, moment: Moment): Facet {
  const { notes, ...facts } = run.app;
  const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
  return facet(producer, 'streampark_app', {
    ...known,
    ...(child !== null && { tier: child.pipeline.tier }),
    ...(notes.length > 0 && { notes }),
    ...(moment.reason !== undefined && { endReason: moment.reason }),
    ...(moment.reconstructed === true && { reconstructed: true }),
  });
}
