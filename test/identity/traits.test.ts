// What is known of tables beside their names, against answers written by hand.
import { describe, expect, test } from 'vitest';
import { distill, maskTable } from '../../src/identity/identity.ts';

type Options = Record<string, string>;

const traits = (options: Options, catalog: { type: string; options: Options } | null = null, more: object = {}) =>
  distill({
    facts: { path: ['lake', 'dw', 't'], temporary: false, options, columns: [], primaryKey: [], partitionKeys: [], ...more },
    catalog,
  }).traits;

describe('version', () => {
  test('of an Iceberg read is a snapshot, a tag or a time', () => {
    expect(traits({ connector: 'iceberg', 'snapshot-id': '42' })?.version).toEqual({ value: '42', batchOnly: false });
    expect(traits({ connector: 'iceberg', tag: 'eoy' })?.version).toEqual({ value: 'eoy', batchOnly: false });
    expect(traits({ 'as-of-timestamp': '1700000000000' }, { type: 'iceberg', options: {} })?.version?.value).toBe('1700000000000');
  });

  test('of a read that goes on, of a branch or of another connector is unknown', () => {
    expect(traits({ connector: 'iceberg', 'start-snapshot-id': '42', streaming: 'true' })?.version).toBeUndefined();
    expect(traits({ connector: 'iceberg', 'snapshot-id': '42', streaming: 'true' })?.version).toBeUndefined();
    expect(traits({ connector: 'iceberg', branch: 'b' })?.version).toBeUndefined();
    expect(traits({ connector: 'kafka', 'scan.snapshot-id': '42' })?.version).toBeUndefined();
  });

  test('of a Paimon read counts in batch jobs only', () => {
    expect(traits({ 'scan.snapshot-id': '7' }, { type: 'paimon', options: {} })?.version).toEqual({ value: '7', batchOnly: true });
    expect(traits({ connector: 'paimon', 'scan.timestamp': '2026-01-01 00:00:00' })?.version?.value).toBe('2026-01-01 00:00:00');
    expect(traits({ connector: 'paimon', 'scan.tag-name': 'v1' })?.version?.value).toBe('v1');
  });
});

describe('storage', () => {
  test.each([
    [
      { connector: 'filesystem', format: 'Parquet' },
      { layer: 'file', format: 'parquet' },
    ],
    [
      { connector: 'kafka', format: 'json' },
      { layer: 'kafka', format: 'json' },
    ],
    [
      { connector: 'upsert-kafka', 'value.format': 'avro-confluent', 'key.format': 'raw' },
      { layer: 'kafka', format: 'avro-confluent' },
    ],
    [{ connector: 'iceberg' }, { layer: 'iceberg' }],
    [
      { connector: 'iceberg', 'write.format.default': 'orc' },
      { layer: 'iceberg', format: 'orc' },
    ],
    [
      { connector: 'paimon', 'file.format': 'orc' },
      { layer: 'paimon', format: 'orc' },
    ],
    [{ connector: 'delta' }, { layer: 'delta', format: 'parquet' }],
  ])('%j', (options, expected) => {
    expect(traits(options)?.storage).toEqual(expected);
  });

  test('of a database is not said', () => {
    expect(traits({ connector: 'jdbc', url: 'jdbc:mysql://h/db' })?.storage).toBeUndefined();
    expect(traits({})?.storage).toBeUndefined();
  });
});

describe('catalog', () => {
  test.each([
    [
      'iceberg',
      { 'catalog-type': 'rest', uri: 'https://rest:8181/v1', warehouse: 's3://lake/wh', 'rest.token': 's3cr3t' },
      { framework: 'iceberg', type: 'rest', name: 'lake', metadataUri: 'https://rest:8181/v1', warehouseUri: 's3://lake/wh' },
    ],
    ['iceberg', { uri: 'thrift://hms:9083' }, { framework: 'iceberg', type: 'hive', name: 'lake', metadataUri: 'thrift://hms:9083' }],
    ['iceberg', { 'catalog-impl': 'org.x.GlueCatalog' }, { framework: 'iceberg', type: 'custom', name: 'lake' }],
    [
      'paimon',
      { warehouse: 'oss://bucket/wh', 'fs.oss.accessKeySecret': 's3cr3t' },
      { framework: 'paimon', type: 'filesystem', name: 'lake', warehouseUri: 'oss://bucket/wh' },
    ],
    [
      'paimon',
      { metastore: 'jdbc', uri: 'jdbc:mysql://h:3306/meta?user=u&password=s3cr3t', warehouse: 'abfss://c@a.dfs.core.windows.net/wh' },
      {
        framework: 'paimon',
        type: 'jdbc',
        name: 'lake',
        metadataUri: 'jdbc:mysql://h:3306/meta',
        warehouseUri: 'abfss://c@a.dfs.core.windows.net/wh',
      },
    ],
    ['jdbc', { 'base-url': 'jdbc:postgresql://u:s3cr3t@h:5432/' }, { framework: 'jdbc', type: 'jdbc', name: 'lake' }],
    [
      'hudi',
      { 'catalog.path': 'hdfs://nn:8020/hudi' },
      { framework: 'hudi', type: 'dfs', name: 'lake', warehouseUri: 'hdfs://nn:8020/hudi' },
    ],
  ])('%s %j', (type, options, expected) => {
    const found = traits({}, { type, options: options as unknown as Options });
    expect(found?.catalog).toEqual(expected);
    expect(JSON.stringify(found)).not.toContain('s3cr3t');
  });

  test('of a table of the built-in catalog is not said', () => {
    expect(traits({ connector: 'paimon', path: 's3://b/t' })?.catalog).toBeUndefined();
  });
});

test('free texts of a table are masked', () => {
  const mask = (text: string) => text.replaceAll('s3cr3t', '***');
  const table = {
    columns: [{ comment: 'a s3cr3t' }, {}],
    traits: {
      version: { value: 's3cr3t', batchOnly: false },
      comment: 's3cr3t!',
      partition: { dt: 's3cr3t' },
      catalog: { framework: 'x', type: 'x', name: 'x', metadataUri: 'http://s3cr3t' },
    },
  };
  expect(JSON.stringify(maskTable(table, mask))).not.toContain('s3cr3t');
  expect(maskTable(table, mask).traits.catalog).toEqual({ framework: 'x', type: 'x', name: 'x', metadataUri: 'http://***' });
});
