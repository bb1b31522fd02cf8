// What a `transform` of a destination looks like: drops the runs of scratch applications and sends no SQL text.
// destinations: [{ name: public, type: http, url: "https://…", transform: /etc/streampark-lineage/transform.mjs }]

/**
 * @param {Record<string, any>} event the event as it would be sent
 * @param {{ destination: string }} about
 * @returns {Record<string, any> | null} the event to send; null drops it
 */
export default function transform(event, about) {
  if (event.job?.name?.startsWith('scratch_')) return null;
  if (event.job?.facets?.sql !== undefined) delete event.job.facets.sql;
  return event;
}
