// The runbook, the alerts, the dashboard, the unit and the manifests against the program that they are about.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { errorCatalogue } from '../../src/errors/errors.ts';
import { createMetrics } from '../../src/ops/ops.ts';
import { listOptions, readSettings } from '../../src/settings/settings.ts';
import { repositoryRoot } from '../support/shared.ts';

const at = (name: string) => join(repositoryRoot, name);
const read = (name: string) => readFileSync(at(name), 'utf8');
const runbook = read('docs/operations.md');

describe('the runbook', () => {
  const entries = new Map(
    [...runbook.matchAll(/^### ([A-Z_]+)\n\n([\s\S]*?)(?=\n#|$(?![\s\S]))/gm)].map((match) => [match[1] as string, match[2] as string]),
  );

  it('has one entry for each code, and for nothing else', () => {
    expect([...entries.keys()].sort(), 'docs/operations.md, chapter Runbook: write the missing entry').toEqual(
      Object.keys(errorCatalogue).sort(),
    );
    expect(runbook.match(/^### [A-Z_]+$/gm)).toHaveLength(entries.size);
  });

  it.each(Object.keys(errorCatalogue))('%s says what it means, when to page, where to look, what to do and what is safe', (code) => {
    const entry = entries.get(code) ?? '';
    expect(entry.split('\n')[0]?.length).toBeGreaterThan(20);
    expect(entry.match(/^- \*\*([^*]+):\*\* .+\.$/gm)?.map((line) => line.replace(/^- \*\*|:\*\*.*$/g, ''))).toEqual([
      'Page',
      'Look at',
      'Do',
      'Safe meanwhile',
    ]);
  });

  it('names options, metrics and alerts that exist', () => {
    const options = [...runbook.matchAll(/`((?:source|state|planner|optIn|outbox|events|http|lineage)\.[A-Za-z.]+)`/g)].map((m) => m[1]);
    expect(options.length).toBeGreaterThan(15);
    const known = listOptions().map(({ path }) => path);
    expect(options.filter((path) => !known.some((k) => k === path || k.startsWith(`${path}.`)) && !path?.startsWith('optIn'))).toEqual([]);
    expect(unknownMetrics(runbook)).toEqual([]);
    expect([...runbook.matchAll(/^\| (Streampark\w+) \|/gm)].map((m) => m[1]).sort()).toEqual(
      rules()
        .map(({ alert }) => alert)
        .filter((alert) => alert !== 'StreamparkLineageAbsent')
        .sort(),
    );
  });
});

interface Declared {
  readonly name: string;
  readonly labelNames: readonly string[];
}
const declared = createMetrics().registry.getMetricsAsArray() as unknown as readonly Declared[];
const metricOf = (name: string): Declared | undefined =>
  declared.find((metric) => metric.name === name) ?? declared.find((metric) => metric.name === name.replace(/_(bucket|sum|count)$/, ''));

/** Names in a text that look like metrics of ours, or of the process, and are none. */
const unknownMetrics = (text: string): string[] =>
  [...text.matchAll(/\b(?:streampark_lineage_|process_|nodejs_)[a-z_]+\b/g)]
    .map((m) => m[0])
    .filter((name) => metricOf(name) === undefined);

/** What is wrong with an expression: metrics or labels that do not exist, brackets that do not match. */
function wrongIn(expression: string): string[] {
  const wrong = unknownMetrics(expression).map((name) => `no metric ${name}`);
  // what Prometheus adds itself
  const added = new Set(['job', 'instance', 'le']);
  for (const [, name = '', matchers = ''] of expression.matchAll(/\b([a-z_]+)\{([^}]*)\}/g)) {
    for (const [, label = ''] of matchers.matchAll(/([a-z_]+)\s*(?:=~|!~|!=|=)/g)) {
      if (!added.has(label) && !metricOf(name)?.labelNames.includes(label)) wrong.push(`${name} has no label ${label}`);
    }
  }
  const open = expression.replace(/[^()[\]{}]/g, '');
  let rest = open;
  for (let before = ''; before !== rest; ) [before, rest] = [rest, rest.replace(/\(\)|\[\]|\{\}/g, '')];
  return rest === '' ? wrong : [...wrong, `brackets: ${open}`];
}

function rules(): { alert: string; expr: string; labels: { severity: string }; annotations: { summary: string; description: string } }[] {
  return (parse(read('ops/alerts.yaml')) as { groups: { rules: ReturnType<typeof rules> }[] }).groups.flatMap((group) => group.rules);
}

/** Runs a tool where it is installed; undefined where not. */
function tool(command: string, ...args: string[]): { status: number | null; text: string } | undefined {
  const { error, status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', cwd: repositoryRoot });
  if (error === undefined) return { status, text: stdout + stderr };
  process.stderr.write(`not tested: ${args.at(-1)} by ${command} (not installed)\n`);
  return undefined;
}

describe('the alerts', () => {
  it('notice a wrong metric, label or bracket', () => {
    expect(wrongIn('sum(streampark_lineage_leder{destination="a"} > 1')).toEqual([
      'no metric streampark_lineage_leder',
      'streampark_lineage_leder has no label destination',
      'brackets: ({}',
    ]);
    expect(wrongIn('rate(streampark_lineage_poll_seconds_bucket{le="1",job="x"}[5m])')).toEqual([]);
  });

  it('ask for metrics that exist, and say what it is about', () => {
    expect(rules().length).toBeGreaterThanOrEqual(5);
    for (const { alert, expr, labels, annotations } of rules()) {
      expect(wrongIn(expr), alert).toEqual([]);
      expect(['page', 'ticket']).toContain(labels.severity);
      const codes = (annotations.description.match(/\b[A-Z]+_[A-Z_]+\b/g) ?? []).filter((code) => !(code in errorCatalogue));
      expect(codes).toEqual([]);
    }
  });

  it('are understood by Prometheus, and fire when they should', () => {
    const checked = tool('promtool', 'check', 'rules', 'ops/alerts.yaml');
    if (checked === undefined) return;
    expect(checked.status, checked.text).toBe(0);
    const tested = tool('promtool', 'test', 'rules', 'test/delivery/alerts.promtool.yaml');
    expect(tested?.status, tested?.text).toBe(0);
  });
});

describe('the dashboard', () => {
  interface Panel {
    readonly id: number;
    readonly type: string;
    readonly title: string;
    readonly gridPos: { x: number; y: number; w: number; h: number };
    readonly targets?: { expr: string; datasource: { uid: string } }[];
  }
  const { panels, templating } = JSON.parse(read('ops/dashboard.json')) as {
    panels: Panel[];
    templating: { list: { name: string; query: string }[] };
  };

  it('asks for metrics that exist, of the data source that is chosen', () => {
    const targets = panels.flatMap((panel) => panel.targets ?? []);
    expect(targets.length).toBeGreaterThan(20);
    expect(targets.flatMap(({ expr }) => wrongIn(expr))).toEqual([]);
    expect(new Set(targets.map(({ datasource }) => datasource.uid))).toEqual(new Set(['${datasource}']));
    expect(templating.list.flatMap(({ query }) => unknownMetrics(query))).toEqual([]);
    const shown = targets.map(({ expr }) => expr).join('\n');
    for (const wanted of [
      'poll_seconds',
      'changes_total',
      'plans_total',
      'outbox_oldest',
      'deliveries_total',
      'leader',
      'planner_restarts',
    ])
      expect(shown).toContain(wanted);
  });

  it('has each panel once and in its place', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const fields = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, i) => `${x + (i % w)},${y + Math.floor(i / w)}`),
    );
    expect(new Set(fields).size).toBe(fields.length);
    expect(panels.every(({ gridPos: { x, w } }) => x + w <= 24)).toBe(true);
  });
});

const variables = new Set(['STREAMPARK_LINEAGE_CONFIG', ...listOptions().map(({ env }) => env)]);
const unknownVariables = (text: string) => (text.match(/\bSTREAMPARK_LINEAGE_[A-Z_]+\b/g) ?? []).filter((name) => !variables.has(name));

describe('the systemd unit', () => {
  const unit = read('ops/streampark-lineage.service');

  it('starts the daemon with settings that exist', () => {
    expect(unit).toMatch(/^ExecStart=\/usr\/bin\/env node \/opt\/streampark-lineage\/dist\/main\.js run$/m);
    expect(unknownVariables(unit)).toEqual([]);
    expect(runbook).toContain('/opt/streampark-lineage/ops/streampark-lineage.service');
  });

  it('is valid and keeps the process small', () => {
    const verified = tool('systemd-analyze', 'verify', 'ops/streampark-lineage.service');
    if (verified === undefined) return;
    expect(verified).toEqual({ status: 0, text: '' });
    const security = tool('systemd-analyze', 'security', '--offline=yes', '--no-pager', 'ops/streampark-lineage.service');
    const exposure = /Overall exposure level for \S+: ([\d.]+)/.exec(security?.text ?? '')?.[1];
    expect(Number(exposure)).toBeLessThan(2);
  });
});

describe('the Kubernetes manifests', () => {
  interface Manifest {
    readonly kind: string;
    readonly metadata: { name: string };
    // biome-ignore lint/suspicious/noExplicitAny: a manifest is read here field by field
    readonly [key: string]: any;
  }
  const folder = 'ops/kubernetes';
  const { resources, images } = parse(read(`${folder}/kustomization.yaml`)) as { resources: string[]; images: Record<string, string>[] };
  const manifests = resources.flatMap((name) => parseAllDocuments(read(`${folder}/${name}`)).map((d) => d.toJS() as Manifest));
  const of = (kind: string) => manifests.find((manifest) => manifest.kind === kind) as Manifest;
  const pod = of('Deployment')['spec'].template.spec;
  const [container] = pod.containers;

  it('are all listed and understood', () => {
    expect([...resources, 'kustomization.yaml'].sort()).toEqual(readdirSync(at(folder)).sort());
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(['ConfigMap', 'Deployment', 'Secret', 'Service']);
    const built = tool('kubectl', 'kustomize', folder);
    if (built !== undefined) expect(built.status, built.text).toBe(0);
    const { version } = JSON.parse(read('package.json')) as { version: string };
    expect(images).toMatchObject([{ name: container.image, newTag: version }]);
  });

  it('ask for health where the daemon answers', () => {
    const [port] = container.ports;
    expect(port.containerPort).toBe(readSettings(undefined, {}).http.port);
    for (const [probe, path] of [
      ['startupProbe', '/healthz'],
      ['livenessProbe', '/healthz'],
      ['readinessProbe', '/readyz'],
    ] as const)
      expect(container[probe].httpGet).toEqual({ path, port: port.name });
    expect(of('Service')['spec'].ports[0].targetPort).toBe(port.name);
    expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });

  it('run without rights, as the user of the image', () => {
    const user = /^USER (\d+):(\d+)$/m.exec(read('Dockerfile')) as RegExpExecArray;
    expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: Number(user[1]), runAsGroup: Number(user[2]) });
    expect(pod.securityContext.seccompProfile).toEqual({ type: 'RuntimeDefault' });
    expect(pod.automountServiceAccountToken).toBe(false);
    expect(container.securityContext).toEqual({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    });
    expect(container.resources.limits.memory).toBe('768Mi');
  });

  it('give settings and secrets that the program takes, from files that are mounted', () => {
    const env = Object.fromEntries(container.env.map(({ name, value }: { name: string; value: string }) => [name, value]));
    expect(unknownVariables(Object.keys(env).join(' '))).toEqual([]);
    const mounts = new Map<string, string>(container.volumeMounts.map((m: { name: string; mountPath: string }) => [m.name, m.mountPath]));
    const volume = (name: string) => pod.volumes.find((v: { name: string }) => v.name === name);
    expect(volume('settings').configMap.name).toBe(of('ConfigMap').metadata.name);
    expect(volume('secrets').secret.secretName).toBe(of('Secret').metadata.name);
    expect(Object.keys(of('ConfigMap')['data']).map((key) => `${mounts.get('settings')}/${key}`)).toEqual([
      env['STREAMPARK_LINEAGE_CONFIG'],
    ]);
    expect(Object.keys(of('Secret')['stringData']).map((key) => `${mounts.get('secrets')}/${key}`)).toEqual([
      env['STREAMPARK_LINEAGE_SOURCE_URL_FILE'],
    ]);
    const settings = readSettings(of('ConfigMap')['data']['settings.yaml'], {});
    expect(settings.destinations.map(({ name }) => name)).toEqual(['gravitino']);
    const selector = of('Deployment')['spec'].selector.matchLabels;
    expect(of('Deployment')['spec'].template.metadata.labels).toMatchObject(selector);
    expect(of('Service')['spec'].selector).toEqual(selector);
  });
});
