// Alternates of lake tables: the names of a table in its catalog, as Spark's listener adds them to the location.
import { tableLink } from './connector.ts';
import { nameWithin } from './filesystem.ts';
import type { Symlink } from './identity.ts';

/** `hive://{authority of the first metastore uri}`; undefined when it has none (a JDBC url, say). */
export function hiveNamespace(uris: string | undefined): string | undefined {
  const [, authority] = /^\s*\w+:\/\/([^/?#,]+)/.exec(uris ?? '') ?? [];
  return authority === undefined ? undefined : `hive://${authority}`;
}

/** AWS Glue; only where region and account are known. */
export const glueLink = (region: string | undefined, account: string | undefined, database: string, table: string): Symlink | undefined =>
  region === undefined || account === undefined ? undefined : tableLink(`arn:aws:glue:${region}:${account}`, `table/${database}/${table}`);

/** The warehouse itself as namespace. */
export function warehouseLink(warehouse: string | undefined, name: string): Symlink | undefined {
  const place = warehouse === undefined ? undefined : nameWithin(warehouse, name);
  return place === undefined ? undefined : tableLink(place.namespace, place.name);
}

/** Whether a warehouse option is a storage path; REST catalogs take a mere name there. */
export const isPath = (warehouse: string): boolean => /^(?:[A-Za-z][\w+.-]*:)?\//.test(warehouse);
