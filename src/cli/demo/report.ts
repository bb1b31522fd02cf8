// Prints what the receiver got: the graph by sink, and each run's life.
import type { ReceivedEvent } from './receiver.ts';

const dataset = (d: { namespace: string; name: string }) => `${d.namespace}  ${d.name}`;

/** The graph: every sink with the inputs that reach it, and the job that says so. */
export function graphLines(events: readonly ReceivedEvent[]): string[] {
  const sinks = new Map<string, { job: string; inputs: Set<string> }>();
  for (const event of events) {
    for (const output of event.outputs ?? []) {
      const known = sinks.get(dataset(output)) ?? { job: `${event.job.namespace} / ${event.job.name}`, inputs: new Set<string>() };
      for (const input of event.inputs ?? []) known.inputs.add(dataset(input));
      sinks.set(dataset(output), known);
    }
  }
  return [...sinks].flatMap(([sink, { job, inputs }]) => [
    `  ${sink}`,
    ...[...inputs].map((input, i) => `    ${i === inputs.size - 1 ? '└' : '├'}── ${input}`),
    `        by ${job}`,
    '',
  ]);
}

/** One line per run: its job and its events with their times. */
export function lifeLines(events: readonly ReceivedEvent[]): string[] {
  const runs = new Map<string, { job: string; steps: string[] }>();
  for (const event of events) {
    const id = event.run?.runId;
    if (id === undefined || event.eventType === undefined) continue;
    const run = runs.get(id) ?? { job: event.job.name, steps: [] };
    run.steps.push(`${event.eventType} ${event.eventTime.slice(11, 19)}`);
    runs.set(id, run);
  }
  const width = Math.max(0, ...[...runs.values()].map((r) => r.job.length));
  return [...runs].map(([id, run]) => `  ${run.job.padEnd(width)}  ${id.slice(0, 8)}  ${run.steps.join(' → ')}`);
}
