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

What to alert on: [ops/alerts.yaml](../ops/alerts.yaml); a dashboard for Grafana: [ops/dashboard.json](../ops/dashboard.json); what to do:
[operations.md](operations.md). Gauges of what the active daemon alone knows (outbox, runs, applications) are 0 in a stand-by.
`;
}

const kind = (metric: unknown) => (metric instanceof Counter ? 'counter' : metric instanceof Gauge ? 'gauge' : 'histogram');
