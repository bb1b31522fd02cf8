// The profile `gravitino`: a table of a Gravitino catalog is `catalog.schema.table` in the metalake, as Gravitino's own plug-ins
// report it, and its physical name is a symlink. What is in no Gravitino catalog keeps its physical name unless the settings
// say otherwise: under its logical name every job's `default_catalog.default_database.orders` would be one table.
import { dataset, type Naming, refuse, tableLink } from '../connector.ts';
import { locate } from '../filesystem.ts';
import type { Dataset, IdentityFacts } from '../identity.ts';
import { nameJdbc } from '../jdbc/jdbc.ts';
import { cutPassword } from '../user-info.ts';

export interface GravitinoSettings {
  readonly metalake?: string | undefined;
  /** Catalog of a script -> catalog of Gravitino. */
  readonly catalogs: Readonly<Record<string, string>>;
  readonly unmanaged: 'physical' | 'logical' | 'none';
  /** The metalake's catalogs, where its server was asked. */
  readonly known?: readonly GravitinoCatalog[] | undefined;
}

/** A catalog of the metalake, and the server or the warehouse whose tables it holds where its properties tell. */
export interface GravitinoCatalog {
  readonly name: string;
  /** Of a relational server, as the names of its tables have it. */
  readonly namespace: string | null;
  /** The one database whose schemas the catalog holds (PostgreSQL); null where its databases are the schemas. */
  readonly database: string | null;
  /** Of a Paimon catalog, without a password. */
  readonly warehouse: string | null;
}

const relational = /^jdbc-(?:mysql|postgresql|doris|starrocks|oceanbase)$/;

/** What is kept of a catalog as the server describes it; its properties may hold secrets. */
export function gravitinoCatalog(described: {
  readonly name: string;
  readonly provider: string;
  readonly properties: Readonly<Record<string, string>>;
}): GravitinoCatalog {
  const { name, provider, properties } = described;
  const warehouse = provider === 'lakehouse-paimon' ? cutPassword(properties['warehouse'] ?? '') || null : null;
  const url = properties['jdbc-url'];
  const server = relational.test(provider) && url !== undefined ? nameJdbc(url, 't', '1.54') : undefined;
  if (server?.location === undefined) return { name, namespace: null, database: null, warehouse };
  const database = provider === 'jdbc-postgresql' ? (properties['jdbc-database'] ?? server.location.database) : null;
  return { name, namespace: database === '' ? null : server.namespace, database, warehouse };
}

/**
 * The name in the metalake.
 * @param physical as the rules name the table; its servers are compared with those of the catalogs
 * @param mapped the same after aliases and resolvers: what stands in the symlinks, or alone where the table is not managed
 */
export function nameInGravitino(physical: Naming, mapped: Naming, facts: IdentityFacts, settings: GravitinoSettings): Naming {
  const { metalake = '' } = settings;
  const catalog = catalogOf(facts, settings);
  const links = 'datasets' in mapped ? mapped.datasets : [];
  if (catalog !== undefined) return { datasets: [logical(metalake, `${catalog}.${facts.path[1]}.${tableOf(facts)}`, links)] };
  if (!('datasets' in physical) || !('datasets' in mapped)) return mapped;
  const managed = physical.datasets.map((each) => managedName(each, facts, settings.known ?? []));
  if (managed.every((name) => name === undefined) && settings.unmanaged !== 'physical') {
    return settings.unmanaged === 'logical'
      ? { datasets: [logical(metalake, facts.path.join('.'), links)] }
      : refuse('NOT_IN_GRAVITINO', 'the table is in no catalog of the metalake');
  }
  return {
    datasets: mapped.datasets.map((each, i) => {
      const name = managed[i];
      return name === undefined ? each : logical(metalake, name, [each]);
    }),
  };
}

const logical = (metalake: string, name: string, physical: readonly Dataset[]): Dataset =>
  dataset(
    metalake,
    name,
    physical.flatMap((each) => [tableLink(each.namespace, each.name), ...each.symlinks]),
  );

/** The Gravitino catalog that the table's own catalog is: by the settings, by its type, or (of a catalog store) by its name. */
function catalogOf({ path, catalog, connector }: IdentityFacts, { catalogs, known = [] }: GravitinoSettings): string | undefined {
  const [name] = path;
  if (Object.hasOwn(catalogs, name)) return catalogs[name];
  if (catalog !== null) return /^gravitino-/i.test(catalog.type ?? '') ? name : undefined;
  return connector === null && known.some((each) => each.name === name) ? name : undefined;
}

/** `t$branch_b` of Paimon is a view of table t. */
const tableOf = ({ path, catalog }: IdentityFacts): string =>
  /paimon/i.test(catalog?.type ?? '') ? path[2].replace(/(?<=.)\$[\s\S]*$/, '') : path[2];

/** The name of a table of a relational server, or of a Paimon warehouse, that exactly one catalog of the metalake holds. */
function managedName({ namespace, name, symlinks }: Dataset, facts: IdentityFacts, known: readonly GravitinoCatalog[]): string | undefined {
  const [, database] = facts.path;
  const inWarehouses = known.flatMap(({ name: catalog, warehouse }) => {
    const place = warehouse === null ? undefined : locate(`${warehouse}/${database}.db/${tableOf(facts)}`);
    return place?.namespace === namespace && place.name === name ? [`${catalog}.${database}.${tableOf(facts)}`] : [];
  });
  const names = known
    .filter((catalog) => catalog.namespace === namespace)
    .flatMap((catalog) => {
      if (catalog.database === null) return name.split('.').length === 2 ? [`${catalog.name}.${name}`] : [];
      // Without a schema the default one is meant, which the symlink writes out.
      const full = [name, ...symlinks.filter((link) => link.namespace === namespace).map((link) => link.name)].map((each) =>
        each.split('.'),
      );
      const parts = full.find((each) => each.length === 3 && each[0] === catalog.database);
      return parts === undefined ? [] : [[catalog.name, ...parts.slice(1)].join('.')];
    });
  const all = [...names, ...inWarehouses];
  return all.length === 1 ? all[0] : undefined;
}
