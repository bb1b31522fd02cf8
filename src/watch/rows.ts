// What is read from the StreamPark tables, normalised over databases and versions: application rows, log rows, scripts.
// Times stay the raw text of the database: they carry no zone, and run identity compares text.

/** The engine of an application. Ids of the two engines collide: always key by both. */
export type Engine = 'flink' | 'spark';

/** `flink:100001`: what commands print and accept. */
export type AppKey = string & { readonly __brand: 'AppKey' };

/** Makes the key of an application. `id` is the decimal text of the bigint. */
export const appKey = (engine: Engine, id: string): AppKey => `${engine}:${id}` as AppKey;

/** What the key of an application is made of. */
export function partsOfKey(key: AppKey): { readonly engine: Engine; readonly id: string } {
  const at = key.indexOf(':');
  return { engine: key.slice(0, at) === 'spark' ? 'spark' : 'flink', id: key.slice(at + 1) };
}

export type JobType = 'jar' | 'sql' | 'python' | 'unknown';

/**
 * The columns of one t_flink_app / t_spark_app row that matter, normalised over databases and versions.
 * Times are the raw text of the database (no zone); compare them as text, convert them with a `ZoneClock`.
 */
export interface AppRow {
  readonly engine: Engine;
  readonly id: string;
  readonly createTime: string;
  readonly teamId: string | null;
  readonly userId: string | null;
  readonly name: string;
  readonly jobType: JobType;
  /** Flink: 0 local, 1 remote, 2 yarn per-job, 3 yarn session, 4 yarn application, 5 k8s session, 6 k8s application. */
  readonly deployMode: number;
  readonly state: number;
  readonly optionState: number;
  readonly tracking: number;
  readonly release: number;
  /** Flink job id (32 hex); null for Spark. */
  readonly jobId: string | null;
  /** cluster_id (YARN application id or K8s cluster id), or app_id on releases before 2.1.4. */
  readonly clusterId: string | null;
  readonly startTime: string | null;
  readonly endTime: string | null;
  readonly optionTime: string | null;
  readonly restartCount: number | null;
  readonly flinkClusterId: string | null;
  readonly versionId: string | null;
  /** Opted in by the rule in force. */
  readonly optIn: boolean;
}

/** One row of t_app_log / t_flink_log. `operation` is already translated per engine. */
export interface LogRow {
  readonly id: string;
  readonly engine: Engine;
  readonly appId: string;
  readonly operation: 'release' | 'start' | 'savepoint' | 'cancel' | 'unknown';
  readonly success: boolean;
  readonly clusterId: string | null;
  readonly createTime: string | null;
  /** First 4,000 characters of the exception, only for failed START rows. */
  readonly exception: string | null;
}

/** What StreamPark stored for one application, read only when it is needed. Nothing is decoded yet. */
export interface StoredScript {
  readonly engine: Engine;
  /** t_flink_sql.id of the effective (else newest) script. */
  readonly sqlId: string;
  readonly sqlVersion: number | null;
  /** As stored: base64 of zlib, doubled, or plain. */
  readonly sql: string;
  readonly variables: readonly StoredVariable[];
  /** Id and name of the team, as far as they are known. */
  readonly team: readonly string[];
  /** Content of the effective config, as stored; `format` 1 yaml, 2 properties, 3 hocon. */
  readonly config: { readonly format: number; readonly content: string } | null;
  /** What it is submitted with: dynamic_properties of Flink, app_properties of Spark. */
  readonly dynamicProperties: string | null;
  /** Version of the Flink or Spark environment, such as `1.17.1`. */
  readonly engineVersion: string | null;
  /** flink-conf.yaml / config.yaml as stored (a path in 2.1.7). */
  readonly engineConf: string | null;
}

/** What StreamPark stored for a JAR or Python application of Flink, read only when it is needed. Nothing is decoded yet. */
export interface StoredProgram extends Pick<StoredScript, 'variables' | 'config' | 'dynamicProperties' | 'engineVersion' | 'engineConf'> {
  readonly jobType: 'jar' | 'python';
  /** False: jar, main class and arguments may not be read, so nobody knows what it is. */
  readonly readable: boolean;
  /** File name of the jar or script. */
  readonly jar: string | null;
  readonly mainClass: string | null;
  /** With its `${…}`; the console replaces them at the start. */
  readonly args: string | null;
}

export interface StoredVariable {
  readonly code: string;
  readonly value: string;
  /** `desensitization` in t_variable: its value must never leave. */
  readonly secret: boolean;
}

/** Names around an application, for facets. */
export interface AppContext {
  readonly teamName: string | null;
  readonly userName: string | null;
  readonly description: string | null;
  /** Absent, as `project` is, in what older releases kept. */
  readonly tags?: readonly string[];
  /** The project that the application was built from; null for one that was uploaded or has a script. */
  readonly project?: StoredProject | null;
}

/** A git project of StreamPark; `url` may hold user and password. */
export interface StoredProject {
  readonly url: string;
  /** Branch or tag. */
  readonly branch: string | null;
  /** Module that the application runs. */
  readonly module: string | null;
}
