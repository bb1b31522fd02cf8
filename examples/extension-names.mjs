// Names: a connector of the site's own, and a mapper that has the last word on every name.
// extensions: {module: /etc/streampark-lineage/extension-names.mjs}

/** @type {import('streampark-lineage/extension').Connector[]} */
export const connectors = [
  {
    names: ['acme-queue', 'acme-queue-v2'],
    options: ['cluster', 'queue'],
    identify({ options }) {
      const { cluster, queue } = options;
      if (cluster === undefined || queue === undefined) throw new Error('needs cluster and queue');
      // A list of queues is several datasets; one that is only for tests is none.
      if (queue === 'test') return null;
      return queue.split(',').map((name) => ({ namespace: `acme://${cluster}`, name: name.trim() }));
    },
  },
];

/**
 * The staging cluster mirrors the tables of production under another database.
 * @type {import('streampark-lineage/extension').NameMapper}
 */
export function mapName({ name }) {
  return name.startsWith('staging_') ? { name: name.slice('staging_'.length) } : {};
}
