// Command `relay`: puts a relay together, starts it, stops it.
import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigError } from '../errors/errors.ts';
import { createLog } from '../ops/ops.ts';
import { consume, type ForwardNote, forwardBatch, letterFile, letterTopic, startProxy } from '../relay/relay.ts';
import { type DestinationSettings, effectiveSettings, type Settings } from '../settings/settings.ts';
import { openState } from '../state/state.ts';
import { concurrencyOf, createTransport, kafkaClient } from '../transports/transports.ts';
import type { ExitCode } from './cli.ts';
import { stateOptionsOf } from './connect.ts';
import { extensionFor } from './extension.ts';
import { type Service, type Surroundings, serve, surroundings } from './service.ts';
import { schemasOf } from './validate.ts';
import { version } from './version.ts';

export interface RelayOptions {
  readonly listen?: string;
  readonly from: string;
  readonly to?: string;
  readonly deadLetter?: string;
  readonly validate: boolean;
}

const kafkaTimeoutMs = 10_000;

/**
 * Runs until SIGTERM or SIGINT.
 * @throws ConfigError, StateError at the start
 */
export async function relayCommand(settings: Settings, options: RelayOptions): Promise<ExitCode> {
  const around = surroundings(createLog(settings.log.level));
  const make = options.listen === undefined ? fromKafka : fromClients;
  return serve(await make(settings, options, around), settings, around, 'relay started');
}

const validatorOf = (wanted: boolean) => {
  if (!wanted) return null;
  const check = schemasOf(undefined);
  return async (event: unknown) => await check(event as Parameters<typeof check>[0]);
};

async function fromClients(settings: Settings, options: RelayOptions, around: Surroundings): Promise<Service> {
  const [, host, port] = /^(?:(.+):)?(\d{1,5})$/.exec(options.listen ?? '') ?? [];
  if (port === undefined || Number(port) > 65_535)
    throw new ConfigError('CONFIG_INVALID', `relay --listen ${options.listen}: write host:port`);
  const extension = await extensionFor(settings, around);
  const state = await openState(stateOptionsOf(settings));
  try {
    const proxy = await startProxy({
      ...around,
      extension,
      state,
      destinations: effectiveSettings(settings, {}).destinations,
      receiver: {
        host: host ?? '127.0.0.1',
        port: Number(port),
        token: settings.relay.token,
        maxBytes: settings.relay.maxBody,
        validate: validatorOf(options.validate),
      },
      retention: settings.outbox,
    });
    around.log.info({ stage: 'relay', port: proxy.port }, 'endpoint for OpenLineage clients');
    return {
      name: 'relay',
      readiness: proxy.readiness,
      run: () => new Promise(() => undefined),
      stop: async () => {
        await proxy.stop(3_000);
        await extension?.close();
        await state.close();
      },
    };
  } catch (error) {
    await state.close();
    throw error;
  }
}

async function fromKafka(settings: Settings, options: RelayOptions, around: Surroundings): Promise<Service> {
  const source = settings.relay.kafka;
  if (source === undefined) throw new ConfigError('CONFIG_INVALID', 'relay.kafka is not set: {brokers, topics, group} (or use --listen)');
  const { conditions, log } = around;
  const destination = destinationOf(settings, options.to);
  const from = fromOf(options.from);
  const extension = await extensionFor(settings, around);
  const transport = createTransport(destination, { version, output: process.stdout, extension });
  const open = kafkaClient({ ...source, name: 'relay.kafka', timeout: kafkaTimeoutMs });
  const letters = await lettersOf(options.deadLetter ?? `topic:${source.topics[0]}.dead-letters`, open);
  const kafka = await open();
  const stopping = new AbortController();
  const { signal } = stopping;
  const parts = {
    send: (json: string) => transport.send(json, signal),
    bury: letters.bury,
    validate: validatorOf(options.validate),
    concurrency: concurrencyOf(destination),
    report: (note: ForwardNote) => tell(note, around, destination.name),
    sleep: (ms: number) => sleep(ms, undefined, { signal }).catch(() => undefined),
    random: Math.random,
  };
  let ended: Promise<void> = Promise.resolve();
  return {
    name: 'relay',
    readiness() {
      const reasons = conditions.list().map(({ code, message }) => ({ code, message }));
      return { ready: reasons.length === 0, role: 'leader', reasons };
    },
    run() {
      ended = consume({
        kafka,
        topics: source.topics,
        group: source.group,
        from,
        handle: (batch) => forwardBatch(batch, parts, signal),
        report: (note) => {
          if (note.kind === 'down') return conditions.raise('TRANSPORT_LATER', 'kafka', `kafka: ${note.reason}`);
          conditions.clear('TRANSPORT_LATER', 'kafka');
          log.info({ stage: 'relay', partitions: note.partitions }, 'partitions assigned');
        },
        signal,
      });
      return ended;
    },
    stop: async () => {
      stopping.abort();
      await ended.catch(() => undefined);
      await letters.close();
      await transport.close();
      await extension?.close();
    },
  };
}

function destinationOf(settings: Settings, name: string | undefined): DestinationSettings {
  const { destinations } = effectiveSettings(settings, {});
  const found = destinations.find((one) => (name === undefined ? one.type === 'http' : one.name === name));
  if (found !== undefined) return found;
  throw new ConfigError(
    'CONFIG_INVALID',
    name === undefined ? 'relay: no http destination is configured' : `relay --to ${name}: no such destination`,
  );
}

function fromOf(text: string): 'earliest' | 'latest' | number {
  if (text === 'earliest' || text === 'latest') return text;
  const time = Date.parse(text);
  if (Number.isNaN(time))
    throw new ConfigError('CONFIG_INVALID', `relay --from ${text}: earliest, latest or a time such as 2026-01-31T00:00:00Z`);
  return time;
}

async function lettersOf(where: string, open: ReturnType<typeof kafkaClient>) {
  const [, kind, name] = /^(topic|file):(.+)$/.exec(where) ?? [];
  if (name === undefined) throw new ConfigError('CONFIG_INVALID', `relay --dead-letter ${where}: topic:NAME or file:PATH`);
  if (kind === 'file') return { bury: letterFile(name), close: async () => undefined };
  const producer = (await open()).producer({ maxInFlightRequests: 1 });
  let connected: Promise<void> | undefined;
  const bury = letterTopic(producer, name);
  return {
    bury: async (letter: Parameters<typeof bury>[0]) => {
      connected ??= producer.connect();
      await connected.catch((error: unknown) => {
        connected = undefined;
        throw error;
      });
      await bury(letter);
    },
    close: () => producer.disconnect().catch(() => undefined),
  };
}

function tell(note: ForwardNote, { log, metrics, conditions }: Surroundings, destination: string): void {
  metrics.relayMessages.inc({ result: note.kind });
  switch (note.kind) {
    case 'sent':
      conditions.clear('TRANSPORT_LATER', destination);
      conditions.clear('TRANSPORT_PAUSED', destination);
      return;
    case 'dead': {
      const { topic, partition, offset, reason } = note.letter;
      log.error({ stage: 'relay', code: 'TRANSPORT_REFUSED', topic, partition, offset }, `kept among the dead letters: ${reason}`);
      return;
    }
    case 'paused':
      conditions.raise('TRANSPORT_PAUSED', destination, `${destination}: ${note.reason}`);
      return;
    case 'later':
      // One failed attempt is nothing to speak of.
      if (note.attempt >= 3) conditions.raise('TRANSPORT_LATER', destination, `${destination}: ${note.reason}`);
  }
}
