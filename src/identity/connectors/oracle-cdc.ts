// oracle-cdc: as the other CDC sources, but a `url` may stand for host and port, and a pluggable database for the name.
import { type Connector, type Naming, named, refuse } from '../connector.ts';
import type { IdentityFacts, IdentitySettings } from '../identity.ts';
import { hideCredentials } from '../jdbc/credentials.ts';
import { nameJdbc } from '../jdbc/jdbc.ts';
import { cutUserInfo } from '../user-info.ts';
import { cdcParts, cdcServer } from './relational-cdc.ts';

const pluggable = 'debezium.database.pdb.name';

function name({ options }: IdentityFacts, settings: IdentitySettings): Naming {
  const database = options[pluggable] === undefined ? 'database-name' : pluggable;
  const parts = cdcParts(options, [{ key: database }, { key: 'schema-name' }, { key: 'table-name' }]);
  if ('reason' in parts) return parts;
  if (options['url'] !== undefined && options['hostname'] === undefined) {
    const server = nameJdbc(options['url'], 't', settings.jdbcNameRule);
    return server === undefined ? refuse('OPTION_INVALID', "option 'url' is empty") : named(server.namespace, parts.join('.'));
  }
  const server = cdcServer(options, 'hostname', 1521);
  return 'host' in server ? named(`oracle://${server.host}:${server.port}`, parts.join('.')) : server;
}

export const oracleCdc: Connector = {
  names: ['oracle-cdc'],
  catalogs: [],
  keys: ['hostname', 'port', 'url', 'database-name', pluggable, 'schema-name', 'table-name'],
  catalogKeys: [],
  clean: { hostname: cutUserInfo, url: hideCredentials },
  name,
  rule: {
    namespace: '`oracle://` and `hostname` in lower case, `:` and the port (default 1521); with `url` its JDBC namespace',
    name: '`debezium.database.pdb.name` or `database-name`, `schema-name`, `table-name`; literal names only',
  },
  authority: 'Debezium 3.5, naming documentation',
  alternates: '',
  example: {
    options: { connector: 'oracle-cdc', hostname: 'ora', 'database-name': 'ORCLCDB', 'schema-name': 'HR', 'table-name': 'EMP' },
    namespace: 'oracle://ora:1521',
    name: 'ORCLCDB.HR.EMP',
  },
};
