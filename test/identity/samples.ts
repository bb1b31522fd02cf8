// Reads the samples of official producers and turns what a Spark session or a catalog knew into a table of ours.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { distill, type Identification, identify } from '../../src/identity/identity.ts';
import type { TableUse } from '../../src/lineage/lineage.ts';
import type { TablePath } from '../../src/plan/plan.ts';
import { sharedDir } from '../support/shared.ts';

export interface Answer {
  readonly p: string;
  readonly ns?: string;
  readonly name?: string | null;
  readonly error?: string;
  readonly sym?: readonly (readonly [string, string, string])[];
}

export interface Sample {
  readonly id: string;
  readonly connector: string;
  readonly table: string;
  readonly options: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
  readonly expect: (Answer & Readonly<Record<string, unknown>>) | null;
  readonly also?: readonly Answer[];
}

/** All samples, or undefined where the fixtures are not there. */
export function readSamples(): readonly Sample[] | undefined {
  const shared = sharedDir();
  if (shared === undefined) return undefined;
  return ['official-samples.jsonl', 'traps.jsonl'].flatMap((file) =>
    readFileSync(join(shared, 'fixtures/identity', file), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Sample),
  );
}

export const settings = { profile: 'openlineage', jdbcNameRule: '1.54' } as const;

/** Names a sample as the product does. */
export function identifySample(sample: Sample): Identification {
  const catalog = catalogOf(sample);
  const use: TableUse = {
    facts: { path: pathOf(sample), temporary: false, options: sample.options, columns: [], primaryKey: [], partitionKeys: [] },
    catalog,
  };
  return identify(distill(use, sample.env?.['location'] ?? null), settings);
}

function pathOf({ table, env }: Sample): TablePath {
  const [catalog = '', database = '', ...rest] = table.split('.');
  return env?.['tableName'] === undefined ? [catalog, database, rest.join('.')] : [catalog, env['database'] ?? database, env['tableName']];
}

function catalogOf({ connector, options, env = {} }: Sample): TableUse['catalog'] {
  if (options['connector'] !== undefined) return null;
  const found: Record<string, string> = {};
  const set = (key: string, value: string | undefined) => {
    if (value !== undefined && found[key] === undefined) found[key] = value;
  };
  for (const [key, value] of Object.entries(env)) {
    const [, icebergKey] = /^conf\.spark\.sql\.catalog\.[^.]+\.(.+)$/.exec(key) ?? [];
    if (icebergKey !== undefined) set(icebergKey === 'type' ? 'catalog-type' : icebergKey, value);
    const [, paimonKey] = /^catalog\.(.+)$/.exec(key) ?? [];
    if (paimonKey !== undefined) set(paimonKey, value);
  }
  const uris = env['conf.spark.sql.hive.metastore.uris'] ?? env['hadoop.hive.metastore.uris'];
  set(connector === 'iceberg' ? 'uri' : 'hive.metastore.uris', uris);
  set('warehouse', env['warehouse']);
  set('hive.metastore.warehouse.dir', env['conf.spark.sql.warehouse.dir']);
  set('hive.metastore.client.factory.class', env['hadoop.hive.metastore.client.factory.class']);
  set(connector === 'iceberg' ? 'glue.id' : 'hive.metastore.glue.catalogid', env['hadoop.hive.metastore.glue.catalogid']);
  set(connector === 'iceberg' ? 'client.region' : 'aws.region', 'eu-west-1');
  return { type: connector, options: { ...found, type: connector } };
}
