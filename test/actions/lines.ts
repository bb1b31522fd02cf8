// Lines of arguments as people write them into the console, with answers found by hand from the tools' documentation and from the
// naming rules. `copies`: sink ← inputs; `findings`: codes of what is left out, by the tool or by the naming rules.

export interface Line {
  readonly jar?: string;
  readonly mainClass?: string;
  readonly args: string;
  readonly config?: string;
  readonly action: string;
  readonly copies: readonly string[];
  readonly findings?: readonly string[];
}

const paimonClass = 'org.apache.paimon.flink.action.FlinkActions';
const dorisClass = 'org.apache.doris.flink.tools.cdc.CdcTools';
const cdcClass = 'org.apache.flink.cdc.cli.CliExecutor';

const mysql = '--mysql_conf hostname=db --mysql_conf username=root --mysql_conf password=s3cr3t';
const lake = '--warehouse s3://lake/wh --database dw';

export const lines: readonly Line[] = [
  // Paimon: one table
  {
    jar: 'paimon-flink-action-1.0.1.jar',
    args: `mysql_sync_table ${lake} --table orders ${mysql} --mysql_conf database-name=shop --mysql_conf table-name=orders`,
    action: 'paimon mysql_sync_table',
    copies: ['s3://lake wh/dw.db/orders ← mysql://db:3306 shop.orders'],
  },
  {
    mainClass: paimonClass,
    args: `mysql-sync-table ${lake} --table t --mysql-conf hostname=DB1 --mysql-conf port=3307 --mysql-conf database-name='shop' --mysql-conf table-name='a|b'`,
    action: 'paimon mysql_sync_table',
    copies: ['s3://lake wh/dw.db/t ← mysql://db1:3307 shop.a, mysql://db1:3307 shop.b'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_table ${lake} --table t ${mysql} --mysql_conf database-name='shop_.+' --mysql_conf table-name=orders`,
    action: 'paimon mysql_sync_table',
    copies: ['s3://lake wh/dw.db/t ← '],
    findings: ['PATTERN_UNRESOLVED'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_table ${lake} --table t ${mysql} --mysql_conf database-name=(s1|s2) --mysql_conf table-name=orders`,
    action: 'paimon mysql_sync_table',
    copies: ['s3://lake wh/dw.db/t ← mysql://db:3306 s1.orders, mysql://db:3306 s2.orders'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_table ${lake} --table t ${mysql} --mysql_conf database-name=s1|s2 --mysql_conf table-name=a|b`,
    action: 'paimon mysql_sync_table',
    copies: ['s3://lake wh/dw.db/t ← '],
    findings: ['PATTERN_UNRESOLVED'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_table --path hdfs://nn:8020/wh/dw.db/orders ${mysql} --mysql_conf database-name=shop --mysql_conf table-name=orders`,
    action: 'paimon mysql_sync_table',
    copies: ['hdfs://nn:8020 /wh/dw.db/orders ← mysql://db:3306 shop.orders'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_table --database dw --table t ${mysql} --mysql_conf database-name=shop --mysql_conf table-name=orders`,
    action: 'paimon mysql_sync_table',
    copies: [],
    findings: ['JOB_ARGUMENT_MISSING'],
  },
  {
    mainClass: paimonClass,
    args: 'postgres_sync_table --warehouse oss://b/wh --database d --table t --postgres_conf hostname=pg --postgres_conf database-name=app --postgres_conf schema-name=public --postgres_conf table-name=orders --postgres_conf slot.name=s',
    action: 'paimon postgres_sync_table',
    copies: ['oss://b /wh/d.db/t ← postgres://pg:5432 app.public.orders'],
  },
  {
    mainClass: paimonClass,
    args: `mongodb_sync_table ${lake} --table t --mongodb_conf hosts=m1:27017,m2:27017 --mongodb_conf username=u --mongodb_conf password=s3cr3t --mongodb_conf database=shop --mongodb_conf collection=orders`,
    action: 'paimon mongodb_sync_table',
    copies: ['s3://lake wh/dw.db/t ← mongodb://m1:27017,m2:27017 shop.orders'],
  },
  {
    mainClass: paimonClass,
    args: `kafka_sync_table ${lake} --table t --kafka_conf properties.bootstrap.servers=k1:9092,k2:9092 --kafka_conf topic=a;b --kafka_conf value.format=canal-json`,
    action: 'paimon kafka_sync_table',
    copies: ['s3://lake wh/dw.db/t ← kafka://k1:9092 a, kafka://k1:9092 b'],
  },
  {
    mainClass: paimonClass,
    args: `kafka_sync_table ${lake} --table t --kafka_conf properties.bootstrap.servers=k1:9092 --kafka_conf topic-pattern=ods_.*`,
    action: 'paimon kafka_sync_table',
    copies: ['s3://lake wh/dw.db/t ← '],
    findings: ['PATTERN_UNRESOLVED'],
  },
  {
    mainClass: paimonClass,
    args: `pulsar_sync_table ${lake} --table t --pulsar_conf topic=a,b --pulsar_conf pulsar.client.serviceUrl=pulsar://p1:6650`,
    action: 'paimon pulsar_sync_table',
    copies: ['s3://lake wh/dw.db/t ← pulsar://p1:6650 persistent://public/default/a, pulsar://p1:6650 persistent://public/default/b'],
  },
  // Paimon: databases
  {
    mainClass: paimonClass,
    args: `mysql_sync_database ${lake} ${mysql} --mysql_conf database-name=shop --including_tables 'orders|items'`,
    action: 'paimon mysql_sync_database',
    copies: ['s3://lake wh/dw.db/orders ← mysql://db:3306 shop.orders', 's3://lake wh/dw.db/items ← mysql://db:3306 shop.items'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_database ${lake} ${mysql} --mysql_conf database-name=shop --including_tables Orders|Items --excluding_tables It.* --table_prefix ods_ --table_suffix _cdc`,
    action: 'paimon mysql_sync_database',
    copies: ['s3://lake wh/dw.db/ods_Orders_cdc ← mysql://db:3306 shop.Orders'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_database ${lake} ${mysql} --mysql_conf database-name=shop --including_tables Orders --table_prefix ods_ --catalog_conf metastore=hive --catalog_conf uri=thrift://hms:9083`,
    action: 'paimon mysql_sync_database',
    copies: ['s3://lake wh/dw.db/ods_orders ← mysql://db:3306 shop.Orders'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_database ${lake} ${mysql} --mysql_conf database-name=s1|s2 --including_tables orders`,
    action: 'paimon mysql_sync_database',
    copies: ['s3://lake wh/dw.db/orders ← mysql://db:3306 s1.orders, mysql://db:3306 s2.orders'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_database ${lake} ${mysql} --mysql_conf database-name=s1|s2 --including_tables orders --merge_shards false --table_prefix_db s2=x_`,
    action: 'paimon mysql_sync_database',
    copies: ['s3://lake wh/dw.db/s1_orders ← mysql://db:3306 s1.orders', 's3://lake wh/dw.db/x_s2_orders ← mysql://db:3306 s2.orders'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_database ${lake} ${mysql} --mysql_conf database-name=s1|s2 --including_tables orders|items`,
    action: 'paimon mysql_sync_database',
    copies: [],
    findings: ['PATTERN_UNRESOLVED'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_database ${lake} ${mysql} --mysql_conf database-name=shop`,
    action: 'paimon mysql_sync_database',
    copies: [],
    findings: ['PATTERN_UNRESOLVED'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_database ${lake} ${mysql} --mysql_conf database-name=shop --including_tables 'tbl.+'`,
    action: 'paimon mysql_sync_database',
    copies: [],
    findings: ['PATTERN_UNRESOLVED'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_database ${lake} ${mysql} --mysql_conf database-name=shop --including_tables a|b --excluding_tables [a-z]_tmp`,
    action: 'paimon mysql_sync_database',
    copies: [],
    findings: ['PATTERN_UNRESOLVED', 'PATTERN_UNRESOLVED'],
  },
  {
    mainClass: paimonClass,
    args: `mysql_sync_database ${lake} ${mysql} --mysql_conf database-name=shop --including_tables orders|items --table_mapping orders=ods_orders`,
    action: 'paimon mysql_sync_database',
    copies: ['s3://lake wh/dw.db/ods_orders ← mysql://db:3306 shop.orders', 's3://lake wh/dw.db/items ← mysql://db:3306 shop.items'],
  },
  {
    mainClass: paimonClass,
    args: `mongodb_sync_database ${lake} --mongodb_conf hosts=m1:27017 --mongodb_conf database=shop --including_tables orders|items --table_suffix _m`,
    action: 'paimon mongodb_sync_database',
    copies: ['s3://lake wh/dw.db/orders_m ← mongodb://m1:27017 shop.orders', 's3://lake wh/dw.db/items_m ← mongodb://m1:27017 shop.items'],
  },
  {
    mainClass: paimonClass,
    args: `kafka_sync_database ${lake} --kafka_conf properties.bootstrap.servers=k1:9092 --kafka_conf topic=ods --including_tables a|b`,
    action: 'paimon kafka_sync_database',
    copies: ['s3://lake wh/dw.db/a ← kafka://k1:9092 ods', 's3://lake wh/dw.db/b ← kafka://k1:9092 ods'],
  },
  {
    mainClass: paimonClass,
    args: `kafka_sync_database ${lake} --kafka_conf properties.bootstrap.servers=k1:9092 --kafka_conf topic=ods;ods2 --including_tables a`,
    action: 'paimon kafka_sync_database',
    copies: [],
    findings: ['JOB_TABLES_UNKNOWN'],
  },
  // Paimon: tables among themselves
  {
    mainClass: paimonClass,
    args: `compact ${lake} --table orders --partition dt=20260101 --catalog_conf s3.secret-key=s3cr3t`,
    action: 'paimon compact',
    copies: ['s3://lake wh/dw.db/orders ← s3://lake wh/dw.db/orders'],
  },
  {
    mainClass: paimonClass,
    args: 'compact --path s3://lake/wh/dw.db/orders',
    action: 'paimon compact',
    copies: ['s3://lake wh/dw.db/orders ← s3://lake wh/dw.db/orders'],
  },
  {
    mainClass: paimonClass,
    args: "compact_database --warehouse s3://lake/wh --including_databases dw --including_tables 'dw.orders|dw.items|other.x' --mode combined",
    action: 'paimon compact_database',
    copies: ['s3://lake wh/dw.db/orders ← s3://lake wh/dw.db/orders', 's3://lake wh/dw.db/items ← s3://lake wh/dw.db/items'],
  },
  {
    mainClass: paimonClass,
    args: 'compact_database --warehouse s3://lake/wh --including_databases dw',
    action: 'paimon compact_database',
    copies: [],
    findings: ['PATTERN_UNRESOLVED'],
  },
  {
    mainClass: paimonClass,
    args: `merge_into ${lake} --table T --source_table S --on "T.k = S.k" --merge_actions matched_upsert --matched_upsert_set "v = S.v"`,
    action: 'paimon merge_into',
    copies: ['s3://lake wh/dw.db/T ← s3://lake wh/dw.db/S'],
  },
  {
    mainClass: paimonClass,
    args: `merge-into ${lake} --table T --source-table raw.S --on T.k=S.k --merge-actions matched-delete`,
    action: 'paimon merge_into',
    copies: ['s3://lake wh/dw.db/T ← s3://lake wh/raw.db/S'],
  },
  {
    mainClass: paimonClass,
    args: `merge_into ${lake} --table T --source_sql "CREATE TEMPORARY VIEW S AS SELECT 1" --source_table S --on T.k=S.k`,
    action: 'paimon merge_into',
    copies: ['s3://lake wh/dw.db/T ← '],
    findings: ['JOB_TABLES_UNKNOWN'],
  },
  {
    mainClass: paimonClass,
    args: `delete ${lake} --table T --where "k = 1"`,
    action: 'paimon delete',
    copies: ['s3://lake wh/dw.db/T ← '],
  },
  {
    mainClass: paimonClass,
    args: 'clone --warehouse s3://a/wh --database d --table t --target_warehouse s3://b/wh --target_database d2 --target_table t2',
    action: 'paimon clone',
    copies: ['s3://b wh/d2.db/t2 ← s3://a wh/d.db/t'],
  },
  {
    mainClass: paimonClass,
    args: 'clone --database d --table t --catalog_conf metastore=hive --catalog_conf uri=thrift://h:9083 --target_warehouse s3://b/wh',
    action: 'paimon clone',
    copies: ['s3://b wh/d.db/t ← '],
    findings: ['LOCATION_UNKNOWN'],
  },
  { mainClass: paimonClass, args: `expire_snapshots ${lake} --table t --retain_max 5`, action: 'paimon expire_snapshots', copies: [] },
  {
    mainClass: paimonClass,
    args: 'fly_to_the_moon --fast',
    action: 'paimon fly_to_the_moon',
    copies: [],
    findings: ['JOB_ACTION_UNKNOWN'],
  },
  { mainClass: paimonClass, args: '', action: 'paimon ', copies: [], findings: ['JOB_ACTION_UNKNOWN'] },
  // Doris
  {
    mainClass: dorisClass,
    args: "mysql-sync-database --job-name j --database ods --mysql-conf hostname=db --mysql-conf port=3306 --mysql-conf username=root --mysql-conf password=s3cr3t --mysql-conf database-name=shop --including-tables 'orders|items' --sink-conf fenodes=fe1:8030 --sink-conf username=root --sink-conf password=s3cr3t --sink-conf jdbc-url=jdbc:mysql://fe1:9030 --sink-conf sink.label-prefix=l --table-conf replication_num=1",
    action: 'doris mysql-sync-database',
    copies: ['mysql://fe1:9030 ods.orders ← mysql://db:3306 shop.orders', 'mysql://fe1:9030 ods.items ← mysql://db:3306 shop.items'],
  },
  {
    jar: 'flink-doris-connector-1.16-24.0.1.jar',
    args: 'postgres-sync-database --database ods --postgres-conf hostname=pg --postgres-conf database-name=app --postgres-conf schema-name=public --including-tables t1 --table-prefix ods_ --table-suffix _pg --sink-conf fenodes=fe1:8030 --sink-conf jdbc-url=jdbc:mysql://fe1:9030',
    action: 'doris postgres-sync-database',
    copies: ['mysql://fe1:9030 ods.ods_t1_pg ← postgres://pg:5432 app.public.t1'],
  },
  {
    mainClass: dorisClass,
    args: "mysql-sync-database --database ods --mysql-conf hostname=db --mysql-conf database-name=shop --including-tables 'a_1|a_2|b' --multi-to-one-origin 'a_.*|c' --multi-to-one-target 'a|c2' --sink-conf fenodes=fe1:8030 --sink-conf jdbc-url=jdbc:mysql://fe1:9030",
    action: 'doris mysql-sync-database',
    copies: [
      'mysql://fe1:9030 ods.a ← mysql://db:3306 shop.a_1, mysql://db:3306 shop.a_2',
      'mysql://fe1:9030 ods.b ← mysql://db:3306 shop.b',
    ],
  },
  {
    mainClass: dorisClass,
    args: 'oracle-sync-database --database ods --oracle-conf hostname=ora --oracle-conf database-name=XE --oracle-conf schema-name=HR --including-tables EMP --sink-conf fenodes=fe1:8030 --sink-conf jdbc-url=jdbc:mysql://fe1:9030',
    action: 'doris oracle-sync-database',
    copies: ['mysql://fe1:9030 ods.EMP ← oracle://ora:1521 XE.HR.EMP'],
  },
  {
    mainClass: dorisClass,
    args: 'mysql-sync-database --database ods --mysql-conf hostname=db --mysql-conf database-name=shop --sink-conf fenodes=fe1:8030',
    action: 'doris mysql-sync-database',
    copies: [],
    findings: ['PATTERN_UNRESOLVED'],
  },
  {
    mainClass: dorisClass,
    args: 'mysql-sync-database --database ods --including-tables a --create-table-only',
    action: 'doris mysql-sync-database',
    copies: [],
  },
  // Hudi
  {
    mainClass: 'org.apache.hudi.streamer.HoodieFlinkStreamer',
    args: '--kafka-topic orders --kafka-group-id g --kafka-bootstrap-servers k1:9092 --target-base-path s3a://lake/hudi/orders --target-table orders --table-type MERGE_ON_READ --filter-dupes --record-key-field id',
    action: 'hudi streamer',
    copies: ['s3://lake hudi/orders ← kafka://k1:9092 orders'],
  },
  {
    mainClass: 'org.apache.hudi.sink.compact.HoodieFlinkCompactor',
    args: '--path hdfs://nn:8020/hudi/orders --service --compaction-tasks 4',
    action: 'hudi compaction',
    copies: ['hdfs://nn:8020 /hudi/orders ← hdfs://nn:8020 /hudi/orders'],
  },
  {
    mainClass: 'org.apache.hudi.sink.clustering.HoodieFlinkClusteringJob',
    args: '--plan-select-strategy all',
    action: 'hudi clustering',
    copies: [],
    findings: ['JOB_ARGUMENT_MISSING'],
  },
  // Flink CDC
  {
    mainClass: cdcClass,
    args: '/opt/pipelines/mysql-to-doris.yaml',
    action: 'flink-cdc pipeline',
    copies: [],
    findings: ['JOB_FILE_NOT_STORED'],
  },
  {
    mainClass: cdcClass,
    args: '"{source: {type: mysql, hostname: db, port: 3306, username: u, password: s3cr3t, tables: shop.orders}, sink: {type: kafka, properties.bootstrap.servers: k1:9092}}"',
    action: 'flink-cdc mysql to kafka',
    copies: ['kafka://k1:9092 shop.orders ← mysql://db:3306 shop.orders'],
  },
];

const source = (tables: string, more = '') => `
source:
  type: mysql
  name: from the shop
  hostname: db
  port: 3306
  username: flink
  password: s3cr3t
  tables: ${tables}
${more}`;

interface Pipeline {
  readonly text: string;
  readonly copies: readonly string[];
  readonly findings?: readonly string[];
}

/** Pipelines that the application's config holds. */
export const pipelines: readonly Pipeline[] = [
  {
    text: `${source('shop.orders, shop.items')}
sink:
  type: doris
  fenodes: fe1:8030
  jdbc-url: jdbc:mysql://fe1:9030
  username: root
  password: s3cr3t
route:
  - source-table: shop.orders
    sink-table: ods.ods_orders
    description: renamed
`,
    copies: ['mysql://fe1:9030 ods.ods_orders ← mysql://db:3306 shop.orders', 'mysql://fe1:9030 shop.items ← mysql://db:3306 shop.items'],
  },
  {
    text: `${source('shop.(o_1|o_2), shop.\\.*')}
sink: {type: starrocks, jdbc-url: 'jdbc:mysql://sr:9030', load-url: 'sr:8030'}
route:
  - {source-table: shop.o_\\.*, sink-table: dw.o}
`,
    copies: ['mysql://sr:9030 dw.o ← mysql://db:3306 shop.o_1, mysql://db:3306 shop.o_2'],
    findings: ['PATTERN_UNRESOLVED'],
  },
  {
    text: `${source('shop.orders')}
sink:
  type: paimon
  catalog.properties.metastore: filesystem
  catalog.properties.warehouse: s3://lake/wh
route:
  - source-table: shop.\\.*
    sink-table: ods.<>_raw
    replace-symbol: <>
  - source-table: shop.orders
    sink-table: mart.orders
`,
    copies: ['s3://lake wh/ods.db/orders_raw ← mysql://db:3306 shop.orders', 's3://lake wh/mart.db/orders ← mysql://db:3306 shop.orders'],
  },
  {
    text: `${source('shop.orders')}
sink:
  type: paimon
  catalog:
    properties: {warehouse: 's3://lake/wh'}
route:
  - {source-table: shop.orders, sink-table: a.b}
  - {source-table: shop.orders, sink-table: c.d}
pipeline: {route-mode: FIRST_MATCH}
`,
    copies: ['s3://lake wh/a.db/b ← mysql://db:3306 shop.orders'],
  },
  {
    text: `
source: {type: postgres, hostname: pg, username: u, password: s3cr3t, tables: app.public.orders, slot.name: s}
sink: {type: starrocks, jdbc-url: 'jdbc:mysql://sr:9030'}
`,
    copies: ['mysql://sr:9030 public.orders ← postgres://pg:5432 app.public.orders'],
  },
  {
    text: `${source('shop.orders, shop.items', '  tables.exclude: shop.it\\.*')}
sink: {type: kafka, properties.bootstrap.servers: 'k1:9092', topic: all}
`,
    copies: ['kafka://k1:9092 all ← mysql://db:3306 shop.orders'],
  },
  {
    text: `${source('shop.orders, shop.items')}
sink: {type: kafka, properties.bootstrap.servers: 'k1:9092', sink.tableId-to-topic.mapping: 'shop.orders:o1;shop.x:x1'}
`,
    copies: ['kafka://k1:9092 o1 ← mysql://db:3306 shop.orders', 'kafka://k1:9092 shop.items ← mysql://db:3306 shop.items'],
  },
  {
    text: `${source('shop.orders')}
sink: {type: iceberg, catalog.properties.type: hadoop, catalog.properties.warehouse: 's3://lake/ice'}
`,
    copies: ['s3://lake ice/shop/orders ← mysql://db:3306 shop.orders'],
  },
  {
    text: `${source('shop.orders')}
sink: {type: elasticsearch, hosts: 'http://es1:9200,http://es2:9200', version: 7}
`,
    copies: ['elasticsearch://es1:9200 shop.orders ← mysql://db:3306 shop.orders'],
  },
  {
    text: `${source('shop.orders')}
sink: {type: fluss, bootstrap.servers: 'f1:9123'}
`,
    copies: ['fluss://f1:9123 shop.orders ← mysql://db:3306 shop.orders'],
  },
  {
    text: `
source: {type: oracle, hostname: ora, database: XE, tables: HR.EMP}
sink: {type: doris, fenodes: 'fe1:8030'}
`,
    copies: ['mysql://fe1:9030 HR.EMP ← oracle://ora:1521 XE.HR.EMP'],
  },
  {
    text: `${source('shop.orders, shop.items')}
sink: {type: doris, fenodes: 'fe1:8030'}
route: [{source-table: 'shop.[oi].*', sink-table: dw.x}]
`,
    copies: [],
    findings: ['PATTERN_UNRESOLVED', 'PATTERN_UNRESOLVED'],
  },
  { text: `${source('shop.orders')}\nsink: {type: values}\n`, copies: [] },
  { text: `${source('shop.orders')}\nsink: {type: maxcompute, project: p}\n`, copies: [], findings: ['CONNECTOR_UNKNOWN'] },
  {
    text: "source: {type: mongodb, hosts: 'm:27017', tables: a.b}\nsink: {type: doris, fenodes: 'fe1:8030'}\n",
    copies: [],
    findings: ['CONNECTOR_UNKNOWN'],
  },
];
