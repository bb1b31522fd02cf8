// Which properties make an engine's own OpenLineage listener report beside us: of both listeners the documented keys, and never one that the
// user set anywhere (the text itself, the application's config file, the environment's defaults), because ours would win over those.
import type { Properties } from './edit.ts';

/** Where the listeners post. */
export interface ListenerTarget {
  readonly url: string;
  /** Path of the events. The Spark listener keeps only scheme and host of a url, so the path is a key of its own. */
  readonly endpoint: string;
  readonly namespace: string;
  /** Only when the operator asked for it: it becomes visible in the console and in its log. */
  readonly token: string | undefined;
}

export interface SparkJars {
  readonly packages: string | undefined;
  readonly jars: string | undefined;
}

const sparkListener = 'io.openlineage.spark.agent.OpenLineageSparkListener';
/** The two that the listener reports by itself, and the id of the application, by which its runs and ours find each other. */
const capturedProperties = 'spark.master,spark.app.name,spark.app.id';
const flinkListener = 'io.openlineage.flink.listener.OpenLineageJobStatusChangedListenerFactory';
const flinkListeners = 'execution.job-status-changed-listeners';

/**
 * Properties for a Spark application, to be appended to its app_properties.
 * @param own what the user set anywhere, by key
 * @returns nothing when the listener is already set up by the user
 */
export function sparkProperties(app: { readonly name: string }, target: ListenerTarget, jars: SparkJars, own: Properties): Properties {
  const listeners = (own.get('spark.extraListeners') ?? '').split(',').map((name) => name.trim());
  if (listeners.includes(sparkListener)) return new Map();
  const prefix = 'spark.openlineage';
  const wanted = missing(own, [
    ...transport(prefix, target, own),
    [`${prefix}.namespace`, target.namespace],
    ...(/[\s"'=]/.test(app.name) || app.name === '' ? [] : ([[`${prefix}.appName`, app.name]] as const)),
    [`${prefix}.columnLineage.datasetLineageEnabled`, 'true'],
    [`${prefix}.capturedProperties`, capturedProperties],
    ...(jars.packages === undefined ? [] : ([['spark.jars.packages', jars.packages]] as const)),
    ...(jars.jars === undefined ? [] : ([['spark.jars', jars.jars]] as const)),
  ]);
  return new Map([['spark.extraListeners', [...listeners.filter((name) => name !== ''), sparkListener].join(',')], ...wanted]);
}

/** Properties for a Flink application, to be appended to its dynamic_properties; nothing when the user has listeners of his own. */
export function flinkProperties(target: ListenerTarget, own: Properties): Properties {
  if (own.has(flinkListeners)) return new Map();
  return new Map([
    [flinkListeners, flinkListener],
    ...missing(own, [...transport('openlineage', target, own), ['openlineage.job.namespace', target.namespace]]),
  ]);
}

/** The http transport; left out as a whole when the user has one. */
function transport(prefix: string, target: ListenerTarget, own: Properties): (readonly [string, string])[] {
  if ([...own.keys()].some((key) => key.startsWith(`${prefix}.transport.`))) return [];
  return [
    [`${prefix}.transport.type`, 'http'],
    [`${prefix}.transport.url`, target.url],
    [`${prefix}.transport.endpoint`, target.endpoint],
    ...(target.token === undefined
      ? []
      : ([
          [`${prefix}.transport.auth.type`, 'api_key'],
          [`${prefix}.transport.auth.apiKey`, target.token],
        ] as const)),
  ];
}

const missing = (own: Properties, pairs: readonly (readonly [string, string])[]) => pairs.filter(([key]) => !own.has(key));

/** A property as it may be shown: the value of a token is not. */
export function shownProperty(key: string, value: string): string {
  return `${key}=${/apikey|token|password|secret/i.test(key) ? '***' : value}`;
}

/** The first Flink release whose listeners are called, as [major, minor]. */
const firstFlink = [1, 19] as const;

/** Whether a Flink version, such as `1.20.1`, calls job listeners. An unknown one does not. */
export function callsListeners(version: string | null): boolean {
  const [, major, minor] = /^(\d+)\.(\d+)/.exec(version ?? '') ?? [];
  if (major === undefined || minor === undefined) return false;
  return Number(major) > firstFlink[0] || (Number(major) === firstFlink[0] && Number(minor) >= firstFlink[1]);
}
