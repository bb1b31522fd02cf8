// Metrics in Prometheus text. One registry per start; docs/metrics.md is generated from the declarations.
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Declares all metrics on a registry of their own. Label values are codes, engines and destination names only. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  const name = (text: string) => `streampark_lineage_${text}`;
  const metrics = {
    registry,
    polls: new Counter({
      name: name('polls_total'),
      help: 'Polls of the StreamPark database by outcome (ok, failed)',
      labelNames: ['outcome'],
      registers,
    }),
    pollSeconds: new Histogram({
      name: name('poll_seconds'),
      help: 'Time of one poll, reading and recording',
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
      registers,
    }),
    lastPoll: new Gauge({ name: name('last_poll_timestamp_seconds'), help: 'When the last poll succeeded', registers }),
    apps: new Gauge({ name: name('applications'), help: 'Opted-in applications', registers }),
    changes: new Counter({
      name: name('changes_total'),
      help: 'Changes found, by kind and engine',
      labelNames: ['kind', 'engine'],
      registers,
    }),
    openRuns: new Gauge({ name: name('open_runs'), help: 'Runs that have not ended', registers }),
    planning: new Gauge({ name: name('planning_runs'), help: 'Runs that wait for the planner', registers }),
    planSeconds: new Histogram({
      name: name('plan_seconds'),
      help: 'Time to plan one script, by the Flink version of the planner',
      labelNames: ['flink'],
      buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      registers,
    }),
    plans: new Counter({
      name: name('plans_total'),
      help: 'Planned scripts by result (plan, tree, text, none, cached, failed) and by the code of the worst finding, if any',
      labelNames: ['result', 'code'],
      registers,
    }),
    externalTables: new Counter({
      name: name('external_tables_total'),
      help: 'Tables that scripts do not declare, by the way they were found (prelude, the type of their catalog, text)',
      labelNames: ['way'],
      registers,
    }),
    plannerUp: new Gauge({
      name: name('planner_up'),
      help: '1 when the planner process is ready: the bundled one, and those of other Flink versions that have scripts',
      labelNames: ['flink'],
      registers,
    }),
    plannerRestarts: new Counter({ name: name('planner_restarts_total'), help: 'Planner processes that ended or were killed', registers }),
    plannerMemory: new Gauge({
      name: name('planner_resident_memory_bytes'),
      help: 'Memory of the planner processes (Linux); that of the daemon itself is process_resident_memory_bytes',
      registers,
    }),
    skipped: new Counter({ name: name('skipped_tables_total'), help: 'Tables left out, by reason code', labelNames: ['code'], registers }),
    extensionCalls: new Counter({
      name: name('extension_calls_total'),
      help: 'Calls into extensions.module by part (connector, facets, mapName, transform, transport) and result (ok, threw, late, wrong)',
      labelNames: ['part', 'result'],
      registers,
    }),
    extensionSeconds: new Histogram({
      name: name('extension_seconds'),
      help: 'Time of one call into extensions.module, by part',
      labelNames: ['part'],
      buckets: [0.001, 0.005, 0.025, 0.1, 0.25, 0.5, 1, 5, 30],
      registers,
    }),
    conditions: new Counter({ name: name('problems_total'), help: 'Problems seen, by code', labelNames: ['code'], registers }),
    standing: new Gauge({
      name: name('problem_standing'),
      help: 'Problems that stand now, by code; what /readyz lists',
      labelNames: ['code'],
      registers,
    }),
    events: new Counter({ name: name('events_total'), help: 'Events written to the outbox, by type', labelNames: ['type'], registers }),
    delivered: new Counter({
      name: name('deliveries_total'),
      help: 'Answers of destinations (sent, later, never, paused, skipped)',
      labelNames: ['destination', 'result'],
      registers,
    }),
    waiting: new Gauge({
      name: name('outbox_waiting'),
      help: 'Events that wait in the outbox, by destination',
      labelNames: ['destination'],
      registers,
    }),
    oldest: new Gauge({
      name: name('outbox_oldest_seconds'),
      help: 'Age of the oldest waiting event, by destination',
      labelNames: ['destination'],
      registers,
    }),
    dead: new Gauge({
      name: name('outbox_dead'),
      help: 'Refused events kept for replay, by destination',
      labelNames: ['destination'],
      registers,
    }),
    pruned: new Counter({
      name: name('pruned_rows_total'),
      help: 'Rows that retention deleted or emptied (outbox, retired, runs, plans)',
      labelNames: ['what'],
      registers,
    }),
    relayRequests: new Counter({
      name: name('relay_requests_total'),
      help: 'Requests to the endpoint of `relay --listen`, by status of the answer',
      labelNames: ['status'],
      registers,
    }),
    relayMessages: new Counter({
      name: name('relay_messages_total'),
      help: 'Messages that `relay` took from Kafka, by result (sent, dead) and failed attempts (later, paused)',
      labelNames: ['result'],
      registers,
    }),
    leader: new Gauge({ name: name('leader'), help: '1 when this process holds the lease', registers }),
    leaseChanges: new Counter({
      name: name('lease_changes_total'),
      help: 'Changes of the lease of this process (taken, released, lost)',
      labelNames: ['change'],
      registers,
    }),
    build: new Gauge({ name: name('build_info'), help: 'Always 1; the version is a label', labelNames: ['version'], registers }),
  };
  // A series that begins at 1 shows no increase, so those that alerts and panels count begin at 0.
  for (const outcome of ['ok', 'failed']) metrics.polls.inc({ outcome }, 0);
  for (const change of ['taken', 'released', 'lost']) metrics.leaseChanges.inc({ change }, 0);
  return metrics;
}

export type Metrics = ReturnType<typeof createMetrics>;
