// Table facts with their secrets -> what a name is made of, without them. Everything a rule does not read is dropped.
import type { ScriptLineage, TableUse } from '../lineage/lineage.ts';
import type { Connector } from './connector.ts';
import type { DistilledPipeline, IdentityFacts } from './identity.ts';
import { currentOptions } from './legacy.ts';
import { noOwnConnectors, type OwnConnectors } from './own.ts';
import { connectorNamed, connectorOfCatalog } from './registry.ts';
import { traitsOf } from './traits.ts';
import { cutPassword } from './user-info.ts';

/** Longest option value a rule looks at; the value of a longer one is replaced by `tooLong`. */
export const maxOptionLength = 32_768;
export const tooLong = '\u0000';

/**
 * Keeps of a table only what its connector's rule reads.
 * @param location its storage location where it is known
 * @param own connectors of the site
 */
export function distill(use: TableUse, location: string | null = null, own: OwnConnectors = noOwnConnectors): IdentityFacts {
  const options = currentOptions(use.facts.options);
  const type = use.catalog?.type ?? null;
  const connector = options['connector'] ?? type;
  const known =
    options['connector'] === undefined ? (type === null ? undefined : connectorOfCatalog(type)) : connectorNamed(options['connector']);
  const rule = (connector === null ? undefined : own.byName.get(connector)) ?? known;
  const catalog = use.catalog === null ? null : { type, options: kept(use.catalog.options, rule?.catalogKeys ?? [], rule) };
  return {
    path: use.facts.path,
    connector,
    options: kept(options, rule?.keys ?? [], rule),
    catalog,
    location: location === null ? null : clean(location, cutPassword),
    columns: use.facts.columns,
    traits: traitsOf(use, options),
  };
}

/** All pipelines of a script without their secrets. */
export const distillLineage = (lineage: ScriptLineage, own: OwnConnectors = noOwnConnectors): DistilledPipeline[] =>
  lineage.pipelines.map(({ tier, line, sink, inputs, columns }) => ({
    tier,
    line,
    sink: distill(sink, null, own),
    inputs: inputs.map((input) => ({ ...distill(input, null, own), role: input.role })),
    columns,
  }));

function kept(options: Readonly<Record<string, string>>, keys: readonly string[], rule: Connector | undefined): Record<string, string> {
  const found: Record<string, string> = {};
  for (const key of keys) {
    const value = Object.hasOwn(options, key) ? options[key] : undefined;
    if (value !== undefined) found[key] = clean(value, rule?.clean[key]);
  }
  return found;
}

const clean = (value: string, cut: ((value: string) => string) | undefined): string => {
  if (value.length > maxOptionLength) return tooLong;
  return cut === undefined ? value : cut(value);
};
