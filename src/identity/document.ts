// docs/connectors.md, made from the registry: how the tables of each connector family are named, and on whose authority.
import { type ConnectorEntry, connectorCatalogue, silentConnectors } from './identity.ts';

const code = (text: string) => `\`${text}\``;
const listed = (names: readonly string[]) => names.map(code).join(', ');

/** The page: an index, then one section for each family, in the order of the registry. */
export function connectorsPage(): string {
  const families = connectorCatalogue();
  return `# Connectors

Generated from the registry of the program. A table is reported under the name of the physical dataset behind it, made only of the options
that its family reads; options that the table does not have come from its catalog. A table whose name is not certain is left out with a code
([errors.md](errors.md)), never guessed. Where another producer of OpenLineage events names the same dataset, that producer is the
authority and the names are equal byte for byte; "ours" means that none was found. Symlinks carry the names that other producers give to
the same dataset. Where an example shows a catalog, its table is \`sales.orders\` there.

- Tables that exist only inside the job have no dataset and give no warning: ${listed(silentConnectors)}.
- Any other connector: \`CONNECTOR_UNKNOWN\`.
- \`streampark-lineage identify\` answers for a table at hand, \`streampark-lineage explain\` for a script.

${families.map((family) => `- [${title(family)}](#${anchor(title(family))})`).join('\n')}

${families.map(section).join('\n')}`;
}

function title({ connectors, catalogs }: ConnectorEntry): string {
  return (connectors.length > 0 ? connectors : catalogs).join(', ');
}

/** The anchor that Markdown renderers give a heading. */
const anchor = (heading: string) =>
  heading
    .toLowerCase()
    .replace(/[^\w\- ]/g, '')
    .replaceAll(' ', '-');

function section(entry: ConnectorEntry): string {
  const { connectors, forks, catalogs, options, namespace, name, authority, alternates, example } = entry;
  const facts = [
    ...(connectors.length > 0 ? [['connector', listed(connectors)]] : []),
    ...(forks.length > 0 ? [['forks named alike', listed(forks)]] : []),
    ...(catalogs.length > 0 ? [['tables of catalogs', listed(catalogs)]] : []),
    ['options read', options.length > 0 ? listed(options) : 'none'],
    ['namespace', namespace],
    ['name', name],
    ['symlinks', alternates === '' ? 'none' : alternates],
    ['authority', authority],
  ];
  return `## ${title(entry)}

${facts.map(([what, text]) => `- **${what}**: ${text}`).join('\n')}

\`\`\`
${exampleLines(example).join('\n')}
\`\`\`
`;
}

function exampleLines({ options, catalog, namespace, name }: ConnectorEntry['example']): string[] {
  const pairs = (values: Readonly<Record<string, string>>) => Object.entries(values).map(([key, value]) => `'${key}' = '${value}'`);
  return [
    ...labelled('catalog', catalog === undefined ? [] : pairs({ type: catalog.type, ...catalog.options })),
    ...labelled('table', pairs(options)),
    ...labelled('namespace', [namespace]),
    ...labelled('name', [name]),
  ];
}

const labelled = (label: string, lines: readonly string[]) => lines.map((line, i) => `${(i === 0 ? label : '').padEnd(11)}${line}`);
