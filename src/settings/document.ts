// The settings as documents: the sample file and the table of docs/settings.md, both made from the declaration of the options.
// In the sample an option is written `#name: default` and a remark `# text`, so that deleting a `#` is all it takes.
import { type Option, type OptionTree, options } from './options.ts';
import { listOptions } from './settings.ts';

const isOption = (node: Option<unknown> | OptionTree): node is Option<unknown> => typeof (node as Option<unknown>).help === 'string';

/** Values that the default does not show, as YAML below the option's path. A test reads them as settings. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  optIn: ['optIn:', '  teams: [analytics]', '  apps: ["flink:100001", "spark:100001"]', '  except: ["flink:100007"]'],
  destinations: [
    'destinations:',
    '  - name: marquez',
    '    type: http',
    '    preset: marquez',
    '    url: http://marquez:5000',
    '    events: both',
    '  - name: gravitino-west',
    '    type: http',
    '    preset: gravitino',
    '    url: https://gravitino.west.example.org:8090',
    '    tokenFile: /run/secrets/gravitino',
    '    ca: /etc/streampark-lineage/ca.pem',
    '    cert: /run/secrets/lineage.pem',
    '    key: /run/secrets/lineage-key.pem',
    '    timeout: 30s',
    '    concurrency: 2',
    '  - name: archive',
    '    type: file',
    '    path: /var/log/lineage/events.ndjson',
  ],
  'identity.connectors': [
    'identity:',
    '  connectors:',
    '    tubemq:',
    '      namespace: "tubemq://{master.rpc[first]}"',
    '      name: "{topic}"',
    '      aliases: [tubemq-ng]',
    '    acme-kafka: {like: kafka, options: {acme.servers: properties.bootstrap.servers}}',
  ],
  'events.jobDependencies': ['events:', '  jobDependencies:', '    "flink:100002": [orders, {namespace: airflow, name: load.prices}]'],
  'planner.versions': ['planner:', '  versions:', '    "1.17": /opt/flink-1.17.2', '    "1.20": /opt/flink-1.20.1'],
  'identity.namespaceResolvers': [
    'identity:',
    '  namespaceResolvers:',
    '    prod-kafka: {type: hostList, hosts: ["b1:9092", "b2:9092"], schema: kafka}',
    '    eu: {type: pattern, regex: "[a-z]+-eu-[0-9]+", schema: mysql}',
  ],
  'identity.connections': [
    'identity:',
    '  expandPatterns: true',
    '  connections:',
    '    - url: mysql://reader@db:3306',
    '      passwordFile: /run/secrets/reader',
    '    - url: kafka://b1:9092,b2:9092',
    '      namespace: kafka://b1.internal:9092',
  ],
  'planner.prelude': [
    'planner:',
    '  prelude:',
    '    - catalog: mysql_crm',
    '      sql: |',
    '        CREATE TABLE crm.customers (id BIGINT, name STRING, PRIMARY KEY (id) NOT ENFORCED)',
    "          WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://crm-db:3306/crm', 'table-name' = 'customers');",
    '    - catalog: lake',
    '      team: analytics',
    '      file: /etc/streampark-lineage/lake.sql',
  ],
  catalogs: [
    'catalogs:',
    '  - catalog: lake',
    '    type: iceberg-rest',
    '    uri: https://rest.lake.example.org',
    '    warehouse: prod',
    '    tokenFile: /run/secrets/lake',
    '    timeout: 5s',
    '    maxAge: 1h',
    '  - catalog: crm',
    '    team: analytics',
    '    type: jdbc',
    '    url: mysql://reader:password@crm-db:3306',
    '  - catalog: paimon',
    '    type: paimon-files',
    '    path: /mnt/warehouse',
    '    warehouse: s3://lake/warehouse',
  ],
  'planner.functions': [
    'planner:',
    '  functions:',
    '    mask: {kind: scalar, type: STRING}',
    '    split_tags: {kind: table, type: "ROW<tag STRING>"}',
  ],
};

const head = [
  '# Settings of streampark-lineage. Every option stands here with its default; delete the # in front of those you change.',
  '# An environment variable (in square brackets) wins over this file; the file wins over t_setting; t_setting over the default.',
  '# Durations are written 500ms, 5s, 10m, 24h or 7d, sizes 256KiB or 2MiB.',
];

/** The sample settings file: as it stands it changes nothing, and with every option uncommented it says the defaults. */
export function sampleSettings(): string {
  const section = (tree: OptionTree, path: readonly string[]): string[] =>
    Object.entries(tree).flatMap(([key, node]) => {
      const indent = '  '.repeat(path.length);
      const here = [...path, key];
      if (!isOption(node)) return [...(path.length === 0 ? [''] : []), `${indent}${key}:`, ...section(node, here)];
      const listed = entries.get(here.join('.'));
      const example = (examples[here.join('.')] ?? []).map((line) => `${indent}#   ${line}`);
      return [
        ...(path.length === 0 ? [''] : []),
        `${indent}# ${node.help} [${listed?.env}]${node.secret ? '; a secret: prefer the environment' : ''}`,
        ...(example.length === 0 ? [] : [`${indent}# Example:`, ...example]),
        `${indent}#${key}:${node.shown === undefined ? '' : ` ${node.shown}`}`,
      ];
    });
  const entries = new Map(listOptions().map((listed) => [listed.path, listed]));
  return `${[...head, ...section(options, [])].join('\n')}\n`;
}

/** One row for each option: name, environment variable, default, meaning. */
export function settingsTable(): string {
  const rows = listOptions().map(({ path, env, option }) => [
    `\`${path}\``,
    `\`${env}\``,
    option.shown === undefined ? '' : `\`${option.shown}\``,
    `${option.help}${option.secret ? ' (secret)' : ''}`,
  ]);
  return markdownTable(['option', 'environment variable', 'default', 'meaning'], rows);
}

/** docs/settings.md. */
export function settingsPage(): string {
  return `# Settings

Generated from the declaration of the options; [examples/settings.yaml](../examples/settings.yaml) has them all to copy from.

Precedence, key by key: environment variable, settings file (\`--config FILE\` or \`STREAMPARK_LINEAGE_CONFIG\`), row of StreamPark's
\`t_setting\` (only the four \`lineage.*\` keys, read again at each poll), default. Where none of these names a destination, OpenLineage's
own file and variables do ([openlineage-configuration.md](openlineage-configuration.md)). An empty environment variable counts as not set.
A secret may stand in a file instead: \`source.urlFile\`, \`state.urlFile\`, \`lineage.gravitino.tokenFile\`, and \`tokenFile\` of a destination; the
variables end in \`_FILE\`. White space around the content is cut. A file that is replaced is taken up without a restart: the login of a
database by its next connections, a token when the server refuses the old one.
Durations are written \`500ms\`, \`5s\`, \`10m\`, \`24h\` or \`7d\` (a bare number is seconds), sizes \`256KiB\` or \`2MiB\` (a bare number is bytes).
\`destinations\`, \`planner.versions\`, \`planner.prelude\`, \`planner.functions\`, the maps and lists of \`identity\` and a list form of
\`optIn\` are given as JSON in an environment variable.

${settingsTable()}

## Examples

${Object.values(examples)
  .map((lines) => ['```yaml', ...lines, '```'].join('\n'))
  .join('\n\n')}
`;
}

/** A table of Markdown; `|` in a cell is escaped. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(header), line(header.map(() => '---')), ...rows.map(line)].join('\n');
}
