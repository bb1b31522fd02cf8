// The profile `streampark-4498`: names as StreamPark's own lineage proposal (pull request 4498) gives them. It knows two
// connectors and the tables of catalogs, so that its events and ours are one graph; everything else it leaves out.
import { type Naming, named, need, refuse } from './connector.ts';
import type { IdentityFacts } from './identity.ts';

/** Names a table by the proposal's rules. */
export function nameAsProposal({ path, catalog, options }: IdentityFacts, connector: string): Naming {
  if (connector === 'mysql-cdc') {
    const found = need(options, 'hostname', 'port', 'database-name', 'table-name');
    if ('refusal' in found) return found.refusal;
    const { hostname, port, 'database-name': database, 'table-name': table } = found.values;
    return named(`mysql-cdc://${hostname}:${port}`, `${database}.${table}`);
  }
  if (connector === 'doris' && options['fenodes'] !== undefined) {
    const found = need(options, 'fenodes', 'table.identifier');
    return 'refusal' in found ? found.refusal : named(`doris://${found.values.fenodes}`, found.values['table.identifier']);
  }
  if (catalog !== null && connector === catalog.type) return named(`${connector}://${path[0]}/${path[1]}`, path[2]);
  return refuse('CONNECTOR_UNKNOWN', `the profile streampark-4498 has no name for connector '${connector.slice(0, 100)}'`);
}
