// The registry: which connector family answers for a table. A new family is one file and one line here.

import type { Connector } from './connector.ts';
import { dynamodb, firehose, kinesis, sqs } from './connectors/aws.ts';
import { delta, filesystem, hudi } from './connectors/filesystem.ts';
import { hive } from './connectors/hive.ts';
import { iceberg } from './connectors/iceberg.ts';
import { jdbc } from './connectors/jdbc.ts';
import { kafka } from './connectors/kafka.ts';
import { mongodb, mongodbCdc } from './connectors/mongodb.ts';
import { doris, selectdb, starrocks, tidb } from './connectors/mpp.ts';
import { oracleCdc } from './connectors/oracle-cdc.ts';
import { paimon } from './connectors/paimon.ts';
import { relationalCdc } from './connectors/relational-cdc.ts';
import { cassandra, clickhouse, oceanbase } from './connectors/sql-store.ts';
import { fluss, redis, stores } from './connectors/store.ts';
import { bigquery, odps, snowflake } from './connectors/warehouse.ts';
import { forkOf, forks } from './forks.ts';

const connectors: readonly Connector[] = [
  kafka,
  jdbc,
  ...relationalCdc,
  oracleCdc,
  mongodb,
  mongodbCdc,
  filesystem,
  hive,
  iceberg,
  paimon,
  hudi,
  delta,
  doris,
  selectdb,
  starrocks,
  tidb,
  clickhouse,
  oceanbase,
  cassandra,
  kinesis,
  dynamodb,
  firehose,
  sqs,
  bigquery,
  snowflake,
  odps,
  ...stores,
  redis,
  fluss,
];

/** Connectors whose tables exist only inside the job. */
export const silentConnectors: readonly string[] = [
  'datagen',
  'print',
  'blackhole',
  'values',
  'faker',
  'socket',
  'python-arrow-source',
  'python-input-format',
  'stream-x',
  'socket-x',
];

const byName = new Map(connectors.flatMap((connector) => connector.names.map((name) => [name, connector] as const)));
const bases = new Map(byName);
for (const fork of forks) {
  const base = bases.get(fork.of);
  if (base === undefined) throw new Error(`fork ${fork.name} of the unknown connector ${fork.of}`);
  byName.set(fork.name, forkOf(base, fork));
}
const byCatalog = new Map(connectors.flatMap((connector) => connector.catalogs.map((type) => [type, connector] as const)));

/** The family of a `connector` value. */
export const connectorNamed = (name: string): Connector | undefined => byName.get(name);

/** The family of the tables of a catalog type; Flink matches types of Gravitino without regard to case. */
export const connectorOfCatalog = (type: string): Connector | undefined =>
  byCatalog.get(/^gravitino-/i.test(type) ? type.toLowerCase() : type);

/** One entry per family, for the reference page. */
export interface ConnectorEntry {
  readonly connectors: readonly string[];
  /** Forks that are named in the same way. */
  readonly forks: readonly string[];
  readonly catalogs: readonly string[];
  readonly options: readonly string[];
  readonly namespace: string;
  readonly name: string;
  readonly authority: string;
  readonly alternates: string;
  readonly example: Connector['example'];
}

/** All families with their rules in words, in the order of the registry. */
export const connectorCatalogue = (): readonly ConnectorEntry[] =>
  connectors.map(({ names, catalogs, keys, rule, authority, alternates, example }) => ({
    connectors: names,
    forks: forks.filter(({ of }) => names.includes(of)).map((fork) => fork.name),
    catalogs,
    options: keys,
    namespace: rule.namespace,
    name: rule.name,
    authority,
    alternates,
    example,
  }));
