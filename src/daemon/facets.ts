// Facets that code of the site's adds to a run, asked for once, when the run is frozen: every event of it repeats them.
import type { Extension, JobChange } from '../extension/extension.ts';
import type { AddedFacets, FrozenChild, FrozenRun } from '../openlineage/openlineage.ts';

type Table = FrozenChild['pipeline']['sink'];

/** The run with what the extension says of its jobs; as it is where there is none. */
export async function withAddedFacets(run: FrozenRun, extension: Extension | undefined): Promise<FrozenRun> {
  if (extension === undefined || extension.facets.length === 0) return run;
  const [own, ...children] = await Promise.all([null, ...run.children].map((child) => addedFacets(run, child, extension)));
  return {
    ...run,
    ...(own !== undefined && { added: own }),
    children: run.children.map((child, i) => ({ ...child, ...(children[i] !== undefined && { added: children[i] }) })),
  };
}

/** Of several builders the first that has a key counts. */
async function addedFacets(run: FrozenRun, child: FrozenChild | null, extension: Extension): Promise<AddedFacets | undefined> {
  const said = await extension.facetsOf(changeOf(run, child));
  if (said.length === 0) return undefined;
  const merged = (facets: readonly (Readonly<Record<string, object>> | null | undefined)[]) => Object.assign({}, ...[...facets].reverse());
  const places = Math.max(0, ...said.map(({ inputs = [] }) => inputs.length));
  return {
    run: merged(said.map((each) => each.run)),
    job: merged(said.map((each) => each.job)),
    output: merged(said.map((each) => each.output)),
    inputs: Array.from({ length: places }, (_, i) => merged(said.map((each) => each.inputs?.[i]))),
  };
}

function changeOf(run: FrozenRun, child: FrozenChild | null): JobChange {
  const { engine, app, owner, namespace, processing, sql } = run;
  return {
    engine,
    application: { id: app.appId, team: app.team, owner },
    run: {
      id: child?.runId ?? run.runId,
      attempt: app.attempt,
      startedAt: new Date(run.startedAt).toISOString(),
      previousRunId: app.previousRunId,
    },
    job: { namespace, name: child?.jobName ?? run.jobName },
    processing,
    sql,
    output: child === null ? null : datasetOf(child.pipeline.sink),
    inputs: child === null ? [] : distinct(child.pipeline.inputs).map(datasetOf),
  };
}

const datasetOf = ({ dataset: { namespace, name }, columns }: Table) => ({
  namespace,
  name,
  columns: columns.filter(({ kind }) => kind !== 'computed').map((column) => ({ name: column.name, type: column.type })),
});

/** As events list them: each dataset once, in the order of the script. */
function distinct(tables: readonly Table[]): Table[] {
  const seen = new Map<string, Table>();
  for (const table of tables) {
    const key = JSON.stringify([table.dataset.namespace, table.dataset.name]);
    if (!seen.has(key)) seen.set(key, table);
  }
  return [...seen.values()];
}
