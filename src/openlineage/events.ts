// Events of one moment of a run, in the order in which consumers must get them: the parent opens before its children and
// closes after them. Every event repeats all datasets: consumers read an empty list as "no edge any more".
import { type EventDataset, inputDatasets, outputDataset, type Telling } from './datasets.ts';
import { eventSchemas, jobFacets, producerUri, type RunFacetInput, runFacets, stamped } from './facets.ts';
import { eventId } from './ids.ts';
import { lineageFacet } from './lineage-facet.ts';
import type { AddedFacets, FrozenChild, FrozenRun, Moment, OutgoingEvent, RunEventType } from './openlineage.ts';
import { type EventBody, serialise } from './size.ts';

export interface EventOptions {
  /** The clock, ms since the epoch: no event is dated after it. */
  readonly now: number;
  /** Time (`OutgoingEvent.at`) of the run's previous events; null before START. */
  readonly previousAt: number | null;
  /** Version of this program. */
  readonly version: string;
  /** Setting `events.maxBytes`. */
  readonly maxBytes: number;
  /** Setting `events.maxFacetBytes`. */
  readonly maxFacetBytes: number;
  /** Setting `events.lineageFacet`: the experimental lineage facet on jobs with datasets. */
  readonly lineageFacet: boolean;
  /** Masks secrets in error texts. */
  readonly mask: (text: string) => string;
  /** Tells apart two moments of one run with the same type and time; 0 by default. */
  readonly sequence?: number;
}

const terminalTypes: ReadonlySet<RunEventType> = new Set(['COMPLETE', 'FAIL', 'ABORT']);

/**
 * Makes the events of a moment. Equal arguments give equal bytes.
 *
 * START: parent, one job event per child, children. RUNNING: parent, children, without column lineage and input schemas.
 * COMPLETE, FAIL, ABORT: children, parent. With naming `app` there are only the children, under the application's name.
 * @returns empty only with naming `app` and no sink
 */
export function runEvents(run: FrozenRun, moment: Moment, options: EventOptions): OutgoingEvent[] {
  const at = timeOf(run, moment, options);
  const write = writer(run, moment, at, options);
  const parent = run.naming === 'app' ? [] : [write.run(null)];
  const children = run.children.map((child) => write.run(child));
  if (terminalTypes.has(moment.type)) return [...children, ...parent];
  // Under one shared name the job events of several sinks would overwrite each other.
  const jobs = moment.type === 'START' && run.naming === 'sink' ? run.children.map((child) => write.job(child)) : [];
  return [...parent, ...jobs, ...children];
}

/**
 * When it happened, but not after the clock, and not before the run's previous event; the end is at least 1 ms after it, also
 * when both fall into one second of StreamPark's times.
 */
function timeOf(run: FrozenRun, moment: Moment, { now, previousAt }: EventOptions): number {
  const happened = Math.min(moment.at, now);
  if (moment.type === 'START') return Math.max(happened, previousAt ?? happened);
  const previous = previousAt ?? run.startedAt;
  return Math.max(happened, terminalTypes.has(moment.type) ? previous + 1 : previous);
}

function writer(run: FrozenRun, moment: Moment, at: number, options: EventOptions) {
  const producer = producerUri(options.version);
  const eventTime = new Date(at).toISOString();
  const telling: Telling = { producer, lean: moment.type === 'RUNNING', isBatch: run.processing === 'BATCH' };

  const addedTo = (child: FrozenChild | null) => (child === null ? run.added : child.added);
  const withFacets = (dataset: EventDataset, added: AddedFacets['output'] | undefined): EventDataset =>
    added === undefined ? dataset : { ...dataset, facets: { ...dataset.facets, ...stamped(producer, 'Dataset', added) } };
  const jobOf = (child: FrozenChild | null): EventBody['job'] => ({
    namespace: run.namespace,
    name: child?.jobName ?? run.jobName,
    facets: {
      ...jobFacets(producer, run, child === null ? 'APPLICATION' : 'JOB'),
      ...(options.lineageFacet && child !== null && { lineage: lineageFacet(telling, child.pipeline) }),
      ...stamped(producer, 'Job', addedTo(child)?.job),
    },
  });
  const datasetsOf = (child: FrozenChild | null): Pick<EventBody, 'inputs' | 'outputs'> => ({
    inputs: child === null ? [] : inputDatasets(telling, child.pipeline).map((dataset, i) => withFacets(dataset, child.added?.inputs[i])),
    outputs: child === null ? [] : [withFacets(outputDataset(telling, child.pipeline), child.added?.output)],
  });
  const outgoing = (kind: 'run' | 'job', runId: string, body: EventBody): OutgoingEvent => {
    const type = kind === 'job' ? 'JOB' : moment.type;
    return {
      id: eventId(runId, type, eventTime, options.sequence ?? 0),
      kind,
      type,
      runId: kind === 'job' ? null : runId,
      terminal: kind === 'run' && terminalTypes.has(moment.type),
      at,
      json: serialise(body, options),
    };
  };

  return {
    run(child: FrozenChild | null): OutgoingEvent {
      const runId = child?.runId ?? run.runId;
      const facts: RunFacetInput = { producer, version: options.version, run, child, moment, mask: options.mask };
      return outgoing('run', runId, {
        eventTime,
        producer,
        schemaURL: eventSchemas.run,
        eventType: moment.type,
        run: { runId, facets: { ...runFacets(facts), ...stamped(producer, 'Run', addedTo(child)?.run) } },
        job: jobOf(child),
        ...datasetsOf(child),
      });
    },
    job(child: FrozenChild): OutgoingEvent {
      return outgoing('job', child.runId, { eventTime, producer, schemaURL: eventSchemas.job, job: jobOf(child), ...datasetsOf(child) });
    },
  };
}
