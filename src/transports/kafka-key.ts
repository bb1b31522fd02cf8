// The key of a message, as the OpenLineage clients make it: all events of one hierarchy share a partition, hence an order. Pure.

interface Job {
  readonly namespace?: unknown;
  readonly name?: unknown;
}
interface Event {
  readonly run?: { readonly facets?: { readonly parent?: { readonly job?: Job; readonly root?: { readonly job?: Job } } } };
  readonly job?: Job;
  readonly dataset?: Job;
}

/**
 * `run:{namespace}/{name}` of the root job, else the parent's, else the own; `job:…` for a job event, `dataset:…` for a dataset
 * event (openlineage-java KafkaTransport).
 * @param event JSON text
 */
export function messageKeyOf(event: string): string {
  const { run, job, dataset } = JSON.parse(event) as Event;
  const parent = run?.facets?.parent;
  if (run !== undefined) return `run:${named(parent?.root?.job ?? parent?.job ?? job)}`;
  return dataset === undefined ? `job:${named(job)}` : `dataset:${named(dataset)}`;
}

const named = (one: Job | undefined): string => `${String(one?.namespace ?? '')}/${String(one?.name ?? '')}`;
