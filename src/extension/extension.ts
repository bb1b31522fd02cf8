// Stage extension: code of the user's that takes part in naming, in events and in sending. Loaded and checked at start; each call is
// timed and fenced, and what goes wrong costs that name, facet or event only.
import { ConfigError } from '../errors/errors.ts';
import type { Settings } from '../settings/settings.ts';
import {
  datasetsAnswer,
  type ExportsShape,
  eventAnswer,
  exportsShape,
  facetsAnswer,
  nameAnswer,
  problemOf,
  sentAnswer,
} from './answers.ts';
import type { Dataset, Event, FacetBuilder, JobChange, NameMapper, Sent, Table } from './contract.ts';
import { openModule, type Target, type UserModule } from './module.ts';

export type { Dataset, EventTransform, JobChange, Table } from './contract.ts';
export { type Outcome, openModule, type UserModule } from './module.ts';

/** What a function said, or why nothing is to be had from it. */
export type Said<T> = { readonly value: T } | { readonly problem: string };

/** One call, for metrics and log. */
export interface ExtensionCall {
  /** `connector`, `facets`, `mapName`, `transform`, `transport`. */
  readonly part: string;
  /** Which connector or builder, or which destination. */
  readonly of: string;
  /** `late`: no answer in time; `wrong`: an answer of another form. */
  readonly result: 'ok' | 'threw' | 'late' | 'wrong';
  readonly seconds: number;
  readonly problem?: string;
}

export type Facets = NonNullable<Awaited<ReturnType<FacetBuilder>>>;

/** A loaded module. No function throws or rejects. */
export interface Extension {
  readonly module: string;
  readonly connectors: readonly { readonly names: readonly string[]; readonly options: readonly string[] }[];
  /** Names of the builders. */
  readonly facets: readonly string[];
  readonly has: { readonly mapName: boolean; readonly transform: boolean; readonly transport: boolean };
  /** The datasets of a table of a connector in `connectors`; null: it has no physical identity. */
  identify(table: Table): Promise<Said<readonly Required<Dataset>[] | null>>;
  mapName(...args: Parameters<NameMapper>): Promise<Said<{ readonly namespace: string; readonly name: string }>>;
  /** What the builders say of a job, without those that failed. */
  facetsOf(change: JobChange): Promise<readonly Facets[]>;
  transform(event: Event, destination: string): Promise<Said<Event | null>>;
  /** Sends through the transport of a destination, which is made with its options at the first use. */
  send(event: Event, destination: string, options: Readonly<Record<string, unknown>>, limitMs: number): Promise<Said<NonNullable<Sent>>>;
  probe(destination: string, options: Readonly<Record<string, unknown>>, limitMs: number): Promise<Said<string>>;
  /** Closes the transport of a destination. */
  closeTransport(destination: string, options: Readonly<Record<string, unknown>>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Loads the module that the settings name; undefined when they name none.
 * @param report told of every call
 * @throws ConfigError EXTENSION_INVALID: it cannot be loaded, exports something of another form, or lacks what a destination needs
 */
export async function openExtension(
  { extensions, destinations }: Pick<Settings, 'extensions' | 'destinations'>,
  report: (call: ExtensionCall) => void,
): Promise<Extension | undefined> {
  const needed = destinations.find(({ type }) => type === 'extension');
  const { module: path, timeout } = extensions;
  if (path === undefined) {
    if (needed === undefined) return undefined;
    throw new ConfigError('EXTENSION_INVALID', `destination ${needed.name} is of type extension, and extensions.module is not set`);
  }
  const module = openModule(path);
  try {
    const loaded = await module.shape();
    if ('reason' in loaded) throw new ConfigError('EXTENSION_INVALID', loaded.reason);
    const shape = exportsShape.safeParse(loaded.shape);
    if (!shape.success) throw new ConfigError('EXTENSION_INVALID', `${path}: ${problemOf(shape.error)}`);
    const twice = repeated(shape.data.connectors.flatMap(({ names }) => names));
    if (twice !== undefined) throw new ConfigError('EXTENSION_INVALID', `${path}: two connectors are named ${twice}`);
    if (needed !== undefined && shape.data.transport === undefined)
      throw new ConfigError('EXTENSION_INVALID', `${path} exports no transport, and destination ${needed.name} is of type extension`);
    return fenced(module, path, shape.data, timeout, report);
  } catch (error) {
    await module.close();
    throw error;
  }
}

const repeated = (values: readonly string[]): string | undefined => values.find((value, i) => values.indexOf(value) !== i);

interface Schema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: Parameters<typeof problemOf>[0] };
}

function fenced(
  module: UserModule,
  path: string,
  shape: ExportsShape,
  timeoutMs: number,
  report: (call: ExtensionCall) => void,
): Extension {
  const byName = new Map(shape.connectors.flatMap(({ names }, i) => names.map((name) => [name, i] as const)));

  const call = async <T>(
    about: Pick<ExtensionCall, 'part' | 'of'>,
    target: Target,
    args: readonly unknown[],
    schema: Schema<T>,
    limitMs = timeoutMs,
  ): Promise<Said<T>> => {
    const began = performance.now();
    const outcome = await module.call(target, args, limitMs);
    const told = (result: ExtensionCall['result'], problem?: string) =>
      report({ ...about, result, seconds: (performance.now() - began) / 1000, ...(problem !== undefined && { problem }) });
    const failed = (result: ExtensionCall['result'], problem: string): Said<T> => {
      told(result, problem);
      return { problem };
    };
    if (outcome.kind === 'unloadable') return failed('threw', outcome.reason);
    if (outcome.kind === 'threw') return failed('threw', `it threw ${outcome.threw}`);
    if (outcome.kind === 'late') return failed('late', `no answer within ${limitMs / 1000} s`);
    const answer = schema.safeParse(outcome.value);
    if (!answer.success) return failed('wrong', `its answer is not valid: ${problemOf(answer.error)}`);
    told('ok');
    return { value: answer.data };
  };
  /** Transports that were asked for. */
  const made = new Set<string>();
  const instance = (destination: string, options: Readonly<Record<string, unknown>>): Required<Target>['instance'] => {
    const key = JSON.stringify([destination, options]);
    made.add(key);
    return { key, args: [options, { destination }] };
  };

  return {
    module: path,
    connectors: shape.connectors,
    facets: Object.keys(shape.facets),
    has: { mapName: shape.mapName !== undefined, transform: shape.transform !== undefined, transport: shape.transport !== undefined },
    identify: (table) =>
      call(
        { part: 'connector', of: table.connector },
        { path: ['connectors', byName.get(table.connector) ?? -1, 'identify'] },
        [table],
        datasetsAnswer,
      ),
    async mapName(dataset, table) {
      const said = await call({ part: 'mapName', of: '' }, { path: ['mapName'] }, [dataset, table], nameAnswer);
      if ('problem' in said) return said;
      return { value: { namespace: said.value.namespace ?? dataset.namespace, name: said.value.name ?? dataset.name } };
    },
    async facetsOf(change) {
      const said = await Promise.all(
        Object.keys(shape.facets).map((of) => call({ part: 'facets', of }, { path: ['facets', of] }, [change], facetsAnswer)),
      );
      return said.flatMap((one) => ('value' in one && one.value !== null ? [one.value as Facets] : []));
    },
    transform: (event, destination) =>
      call({ part: 'transform', of: destination }, { path: ['transform'] }, [event, { destination }], eventAnswer),
    send: (event, destination, options, limitMs) =>
      call(
        { part: 'transport', of: destination },
        { path: ['send'], instance: instance(destination, options) },
        [event],
        sentAnswer as Schema<NonNullable<Sent>>,
        limitMs,
      ),
    probe: (destination, options, limitMs) =>
      call({ part: 'transport', of: destination }, { path: ['probe'], instance: instance(destination, options) }, [], probeAnswer, limitMs),
    async closeTransport(destination, options) {
      if (!made.has(JSON.stringify([destination, options]))) return;
      await module.call({ path: ['close'], instance: instance(destination, options) }, [], timeoutMs);
    },
    close: () => module.close(),
  };
}

const probeAnswer: Schema<string> = {
  safeParse: (value) => ({ success: true, data: typeof value === 'string' ? value : 'made; it offers no probe' }),
};
