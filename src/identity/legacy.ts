// Tables of the time before Flink 1.14: `connector.type` and its `connector.*` keys, translated to today's options.

const renamed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  jdbc: { table: 'table-name' },
};

/** Today's options of a table; a map that has a `connector` option already is returned as it is. */
export function currentOptions(options: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const type = options['connector.type'];
  if (options['connector'] !== undefined || type === undefined) return options;
  const current: Record<string, string> = {};
  for (const [key, value] of Object.entries(options)) {
    const [, short] = /^connector\.(.+)$/.exec(key) ?? [];
    if (short === undefined || short === 'type') continue;
    // The oldest form lists Kafka properties as `properties.0.key` and `properties.0.value`.
    const [, number] = /^properties\.(\d+)\.key$/.exec(short) ?? [];
    const listed = number === undefined ? undefined : options[`connector.properties.${number}.value`];
    if (listed !== undefined) current[`properties.${value}`] = listed;
    else current[renamed[type]?.[short] ?? short] = value;
  }
  return { ...current, connector: currentName(type, options['connector.version']) };
}

/** Elasticsearch and HBase carried their version apart. */
function currentName(type: string, version: string | undefined): string {
  if (type === 'elasticsearch' && version !== undefined) return `elasticsearch-${version.replace(/\..*$/, '')}`;
  if (type === 'hbase') return version?.startsWith('2') === true ? 'hbase-2.2' : 'hbase-1.4';
  return type;
}
