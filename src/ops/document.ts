// docs/metrics.md, made from the declared metrics.
import { Counter, Gauge } from 'prom-client';
import { createMetrics } from './metrics.ts';

interface Declared {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** The page: one row for each metric of this program; those of Node and the process are named by their prefix. */
export function metricsPage(): string {
  const { registry } = createMetrics();
  const declared = registry.getMetricsAsArray() as unknown as readonly Declared[];
  const own = declared.filter(({ name }) => name.startsWith('streampark_lineage_'));
  const rows = own.map(
    (metric) => `| \`${metric.name}\` | ${kind(metric)} | ${metric.labelNames.map((l) => `\`${l}\``).join(', ')} | ${metric.help} |`,
  );
  return `# Metrics

Generated from the declarations in the program. \`GET /metrics\` on \`http.host\`:\`http.port\` (127.0.0.1:9464 by default) answers in the text
format of Prometheus. Labels hold codes, engines and names of destinations only. Beside these there are the usual metrics of the process
and of Node (\`process_…\`, \`nodejs_…\`).

| metric | kind | labels | meaning |
| --- | --- | --- | --- |
${rows.join('\n')}

## What to alert on

- \`time() - streampark_lineage_last_poll_timestamp_seconds > 120\`: the StreamPark database is not being read.
- \`streampark_lineage_planner_up == 0\` for 10 minutes: runs wait for the planner.
- \`streampark_lineage_outbox_oldest_seconds > 3600\`: a destination does not take its events.
- \`increase(streampark_lineage_deliveries_total{result="never"}[1h]) > 0\`: an event was refused; see \`streampark-lineage outbox list\`.
- \`sum(streampark_lineage_leader) != 1\`: no daemon, or more than one, is active.
`;
}

const kind = (metric: unknown) => (metric instanceof Counter ? 'counter' : metric instanceof Gauge ? 'gauge' : 'histogram');
