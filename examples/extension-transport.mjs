// A way out of one's own (here: a chat room that hears of failures), and a transformer before every destination.
// extensions: {module: /etc/streampark-lineage/extension-transport.mjs}
// destinations: [{ name: room, type: extension, options: { url: "https://chat.example.org/hooks/1" } }]

/** @type {import('streampark-lineage/extension').TransportFactory} */
export function transport({ url }) {
  if (typeof url !== 'string') throw new Error('needs options.url');
  return {
    async send(event) {
      if (event.eventType !== 'FAIL') return undefined;
      const { name } = /** @type {{ name: string }} */ (event.job);
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ text: `${name} failed` }),
      });
      if (response.ok) return { kind: 'sent' };
      return { kind: response.status >= 500 ? 'later' : 'never', reason: `the room answered ${response.status}` };
    },
    probe: () => `posts to ${new URL(url).host}`,
  };
}

/**
 * Applications whose name begins with `scratch_` are nobody's business.
 * @type {import('streampark-lineage/extension').EventTransform}
 */
export function transform(event) {
  const { name } = /** @type {{ name: string }} */ (event.job);
  return name.startsWith('scratch_') ? null : event;
}
