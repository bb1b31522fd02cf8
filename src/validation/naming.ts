// Naming rules: namespaces of datasets by scheme, as the specification's naming page and the official producers have them.
import { datasetsOf, isObject, type Json, textAt } from './event.ts';
import { type Finding, finding } from './rules.ts';

/** Least parts of a name that are separated by dots; 1: any name. */
const schemes: Readonly<Record<string, number>> = {
  abfss: 1,
  alluxio: 1,
  awsathena: 3,
  azurecosmos: 1,
  azurekusto: 1,
  cassandra: 2,
  clickhouse: 2,
  cosn: 1,
  crate: 3,
  dbfs: 1,
  db2: 2,
  dm: 2,
  dynamodb: 1,
  elasticsearch: 1,
  'fabric-warehouse': 3,
  file: 1,
  firehose: 1,
  fluss: 2,
  gbase: 2,
  'gbasedbt-sqli': 2,
  gs: 1,
  hbase: 1,
  hdfs: 1,
  hive: 2,
  http: 1,
  https: 1,
  inmemory: 1,
  kafka: 1,
  kingbase8: 2,
  kinesis: 1,
  mariadb: 2,
  milvus: 2,
  mongodb: 2,
  'mongodb+srv': 2,
  mssql: 3,
  mysql: 2,
  obs: 1,
  oceanbase: 2,
  odps: 2,
  opengauss: 2,
  opensearch: 1,
  oracle: 2,
  oss: 1,
  paimon: 1,
  postgres: 2,
  pulsar: 1,
  rabbitmq: 1,
  redis: 1,
  redshift: 3,
  s3: 1,
  s3a: 1,
  s3n: 1,
  snowflake: 3,
  spanner: 3,
  sqlserver: 2,
  teradata: 2,
  tidb: 2,
  trino: 3,
  unitycatalog: 3,
  viewfs: 1,
  vitess: 2,
  wasbs: 1,
};
/** Namespaces that are a word, and the parts of names in them. */
const words: Readonly<Record<string, number>> = { bigquery: 3, file: 1, hdfs: 1, dbfs: 1, viewfs: 1, pubsub: 1 };
/** What stands before an @ there is no user. */
const withContainer: ReadonlySet<string> = new Set(['abfss', 'wasbs', 'alluxio']);
/** Their authority may be empty or followed by a path. */
const withPath: ReadonlySet<string> = new Set(['inmemory', 'azurecosmos', 'http', 'https', 'paimon']);

/** Looks at the names of the job and of every dataset. */
export function namingFindings(event: Json): Finding[] {
  const job = isObject(event['job']) ? nameFindings(event['job'], '/job') : [];
  const datasets = datasetsOf(event).flatMap(({ path, dataset }) => [...nameFindings(dataset, path), ...datasetFindings(dataset, path)]);
  return [...job, ...datasets];
}

function nameFindings(named: Json, path: string): Finding[] {
  return (['namespace', 'name'] as const).flatMap((key) => {
    const text = textAt(named, key);
    if (text === undefined) return [];
    const where = `${path}/${key}`;
    if (text.trim() === '') return [finding('name-blank', where, 'is blank')];
    if (text.trim() !== text) return [finding('name-blank', where, 'begins or ends with white space')];
    return /\p{Cc}/u.test(text) ? [finding('name-blank', where, 'holds a control character')] : [];
  });
}

function datasetFindings(dataset: Json, path: string): Finding[] {
  const namespace = textAt(dataset, 'namespace')?.trim() ?? '';
  const name = textAt(dataset, 'name')?.trim() ?? '';
  if (namespace === '' || name === '') return [];
  const where = `${path}/namespace`;
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*):\/\/(.*)$/i.exec(namespace) ?? [];
  if (scheme === '') {
    if (/^arn:aws:[a-z0-9-]+:[a-z0-9-]*:\d*$/.test(namespace)) return [];
    const least = words[namespace];
    if (least === undefined) return [finding('name-unknown', where, 'follows no known scheme')];
    return partFindings(namespace, name, least, path);
  }
  if (!withContainer.has(scheme) && /^[^/]*@/.test(rest)) return [finding('name-secret', where, 'holds user info')];
  const least = schemes[scheme];
  if (least === undefined) return [finding('name-unknown', where, `unknown scheme ${scheme}`)];
  if (withPath.has(scheme)) return [];
  if (rest === '') return [finding('name-form', where, 'has no authority')];
  if (rest.endsWith('/')) return [finding('name-form', where, 'ends with a slash')];
  return partFindings(scheme, name, least, path);
}

function partFindings(scheme: string, name: string, least: number, path: string): Finding[] {
  if (name.split('.').length >= least) return [];
  return [finding('name-form', `${path}/name`, `names of ${scheme} have at least ${least} parts`)];
}
