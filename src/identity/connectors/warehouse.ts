// bigquery, snowflake, odps (MaxCompute): cloud warehouses, named by project or account.
import { type Connector, invalid, type Naming, named, need, tableLink } from '../connector.ts';
import { firstHost, withoutScheme } from '../host.ts';
import type { IdentityFacts } from '../identity.ts';
import { before } from '../java/text.ts';
import { cutUserInfo } from '../user-info.ts';

function nameBigquery({ options }: IdentityFacts): Naming {
  const found = need(options, 'project', 'dataset', 'table');
  if ('refusal' in found) return found.refusal;
  return named('bigquery', `${found.values.project}.${found.values.dataset}.${found.values.table}`);
}

function nameSnowflake({ options }: IdentityFacts): Naming {
  const found = need(options, 'url', 'database', 'schema', 'table');
  if ('refusal' in found) return found.refusal;
  const { url, database, schema, table } = found.values;
  const host = before(before(withoutScheme(url.replace(/^jdbc:/i, '')), '/'), ':').toLowerCase();
  const account = /^([^?#]+)\.snowflakecomputing\.com$/.exec(host)?.[1];
  if (account === undefined) return invalid('url', 'names no Snowflake account');
  const name = `${database}.${schema}.${table}`.toUpperCase();
  return named(`snowflake://${account}`, name, [tableLink(`snowflake://${host}`, name)]);
}

function nameOdps({ options }: IdentityFacts): Naming {
  const found = need(options, 'odps.end.point', 'odps.project.name', 'table-name');
  if ('refusal' in found) return found.refusal;
  const host = firstHost(found.values['odps.end.point'], undefined);
  return host === undefined
    ? invalid('odps.end.point', 'names no host')
    : named(`odps://${host}`, `${found.values['odps.project.name']}.${found.values['table-name']}`);
}

export const bigquery: Connector = {
  names: ['bigquery'],
  catalogs: [],
  keys: ['project', 'dataset', 'table'],
  catalogKeys: [],
  clean: {},
  name: nameBigquery,
  rule: { namespace: '`bigquery`', name: '`project`.`dataset`.`table`' },
  authority: 'Spark listener, naming documentation, dbt',
  alternates: '',
  example: { options: { connector: 'bigquery', project: 'p', dataset: 'd', table: 't' }, namespace: 'bigquery', name: 'p.d.t' },
};

export const snowflake: Connector = {
  names: ['snowflake'],
  catalogs: [],
  keys: ['url', 'database', 'schema', 'table'],
  catalogKeys: [],
  clean: { url: (url) => before(cutUserInfo(url), '?') },
  name: nameSnowflake,
  rule: { namespace: '`snowflake://` and the account of `url`', name: '`database`.`schema`.`table` in upper case' },
  authority: 'Spark listener, naming documentation, dbt',
  alternates: '`snowflake://` and the full host (JDBC)',
  example: {
    options: { connector: 'snowflake', url: 'acme-prod.snowflakecomputing.com', database: 'DW', schema: 'PUBLIC', table: 'ORDERS' },
    namespace: 'snowflake://acme-prod',
    name: 'DW.PUBLIC.ORDERS',
  },
};

export const odps: Connector = {
  names: ['odps', 'maxcompute'],
  catalogs: [],
  keys: ['odps.end.point', 'odps.project.name', 'table-name'],
  catalogKeys: [],
  clean: { 'odps.end.point': (url) => before(cutUserInfo(url), '?') },
  name: nameOdps,
  rule: { namespace: '`odps://` and the host of `odps.end.point`', name: '`odps.project.name`.`table-name`' },
  authority: 'ours',
  alternates: '',
  example: {
    options: { connector: 'odps', 'odps.end.point': 'http://service.odps.aliyun.com/api', 'odps.project.name': 'p', 'table-name': 't' },
    namespace: 'odps://service.odps.aliyun.com',
    name: 'p.t',
  },
};
