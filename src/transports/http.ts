// One event per POST, over few kept-alive connections; several at once where the server has shown a batch endpoint. No
// redirect is followed and nothing is retried here: the outbox does that.
import { Agent, type Dispatcher } from 'undici';
import { tlsConnect } from '../http/http.ts';
import type { SendResult } from '../outbox/outbox.ts';
import { batchBody, isAbsent, isOffered, readBatchAnswer } from './batch.ts';
import { readHint, readText } from './body.ts';
import { type Answer, classifyAnswer, classifyError } from './classify.ts';
import { coalesced, type SendMany } from './coalesce.ts';
import { compressor } from './compress.ts';
import { askedAgain } from './gate.ts';
import { backends } from './presets.ts';
import { applyProfile, type Profile } from './profile.ts';
import { TokenTrouble } from './secret.ts';
import { spoken } from './spoken.ts';
import { tokenSource } from './token.ts';
import type { HttpDestination, MayBegin, Transport } from './transport.ts';

export type { HttpDestination } from './transport.ts';

export interface HttpParts {
  readonly version: string;
  readonly now: () => number;
}

/** Events of one batch, and characters of its body, so that one slow batch does not hold up much. */
const batchLimits = { events: 100, chars: 4 * 1024 * 1024 };
/** Characters of an answer that are read where it matters. */
const answerChars = 65_536;

/**
 * Where events are posted: url, endpoint and url parameters, without user info.
 * An url that already ends with the endpoint stays as it is.
 */
export function targetOf(
  destination: Pick<HttpDestination, 'url' | 'endpoint' | 'preset'> & { urlParams?: HttpDestination['urlParams'] },
): URL {
  const target = new URL(destination.url);
  target.username = '';
  target.password = '';
  target.hash = '';
  const endpoint = destination.endpoint ?? backends[destination.preset].endpoint;
  const base = target.pathname.replace(/\/+$/, '');
  target.pathname = base.endsWith(endpoint) ? base : base + endpoint;
  for (const [name, value] of Object.entries(destination.urlParams ?? {})) target.searchParams.set(name, value);
  return target;
}

/** @throws ConfigError when the certificate file cannot be read */
export function httpTransport(destination: HttpDestination, parts: HttpParts): Transport {
  const target = targetOf(destination);
  const { timeout, preset } = destination;
  const backend = backends[preset];
  const profile: Profile = { preset, sparkProperties: destination.sparkProperties ?? preset === 'gravitino' };
  const agent = new Agent({
    connect: tlsConnect(`destination ${destination.name}`, destination, Math.min(10_000, timeout)),
    headersTimeout: timeout,
    bodyTimeout: timeout,
    connections: destination.concurrency,
    pipelining: 1,
    // Below the idle limits of common servers (Node 5 s, Jetty 30 s), so that no post meets a connection being closed.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 25_000,
  });
  const gated = agent.compose(askedAgain);

  /** One request. Its body is read to the end of `read`, within the time limit as a whole. */
  const request = async <T>(
    options: Dispatcher.RequestOptions<MayBegin | undefined> & { readonly signal: AbortSignal },
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const begun = performance.now();
    const response = await gated.request(options);
    // undici limits the wait for the headers and for each piece of the body; a body that drips is limited here.
    const stop = () => response.body.destroy(new OverallTimeout());
    const timer = setTimeout(stop, Math.max(1, timeout - (performance.now() - begun)));
    try {
      return await read(response);
    } finally {
      clearTimeout(timer);
    }
  };

  const token = tokenSource(
    destination,
    (url, form, signal) =>
      request(
        {
          origin: url.origin,
          path: url.pathname + url.search,
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
          body: form,
          signal,
        },
        async (response) => ({ status: response.statusCode, body: await readText(response.body, answerChars) }),
      ),
    parts.now,
  );

  const always = { accept: backend.accept, 'user-agent': `streampark-lineage/${parts.version}`, ...lowerCased(destination.headers) };
  const posted = { 'content-type': 'application/json', ...always };
  const compression = compressor(destination);
  const pathOf = (suffix: string): string => target.pathname + suffix + target.search;

  /** @param keep whether the body of a 2xx is wanted */
  const ask = async (path: string, body: string | undefined, signal: AbortSignal, keep: boolean, mayBegin?: MayBegin): Promise<Heard> => {
    const authorization = await token.header(signal);
    const headers = { ...(authorization === undefined ? {} : { authorization }), ...(body === undefined ? always : posted) };
    const send = (bytes: string | Buffer | null, more: Record<string, string>) =>
      request(
        {
          origin: target.origin,
          path,
          method: body === undefined ? 'GET' : 'POST',
          headers: { ...headers, ...more },
          body: bytes,
          signal,
          opaque: mayBegin,
        },
        (response) => hear(response, keep, token.secrets()),
      );
    return body === undefined ? send(null, {}) : compression.send(body, send);
  };

  /** A refused token is got anew, and the request made once more if it is another one. */
  const askWithToken = async (path: string, body: string, signal: AbortSignal, keep: boolean, mayBegin?: MayBegin): Promise<Heard> => {
    const heard = await ask(path, body, signal, keep, mayBegin);
    const refused = heard.status === 401 || heard.status === 403;
    return refused && (await token.refresh(signal)) ? ask(path, body, signal, keep, mayBegin) : heard;
  };

  const sendOne = async (event: string, signal: AbortSignal, mayBegin?: MayBegin): Promise<SendResult> => {
    try {
      const heard = await askWithToken(pathOf(''), applyProfile(event, profile), signal, backend.speaks !== undefined, mayBegin);
      return classifyAnswer(backend.speaks === undefined ? heard : spoken(backend.speaks, heard, token.secrets()), parts.now());
    } catch (error) {
      return failed(error);
    }
  };

  const batch = destination.batch === 'off' ? undefined : backend.batch;
  let offered: boolean | undefined;
  let inFlight = 0;

  /** Looks once whether the server has a batch endpoint; an answer that says neither is asked for again later. */
  const detect = async (signal: AbortSignal): Promise<void> => {
    offered = false;
    try {
      const { status } = await ask(pathOf(batch?.suffix ?? ''), undefined, signal, false);
      if (isOffered(status)) offered = true;
      else if (status >= 500 || status === 401 || status === 403 || status === 429) offered = undefined;
    } catch {
      offered = undefined;
    }
  };

  const sendMany: SendMany = async (events, signal, mayBegin) => {
    const alone = () => Promise.all(events.map((event) => sendOne(event, signal, mayBegin)));
    if (batch === undefined || events.length < 2 || offered !== true) return alone();
    try {
      const body = batchBody(
        events.map((event) => applyProfile(event, profile)),
        batch.form,
      );
      const heard = await askWithToken(pathOf(batch.suffix), body, signal, true, mayBegin);
      const result = classifyAnswer(heard, parts.now());
      if (result.kind === 'sent') {
        const results = readBatchAnswer(heard.text, events.length, token.secrets());
        return results ?? alone();
      }
      if (isAbsent(heard.status)) offered = false;
      // The fault of one event, or no batch endpoint: each event gets its own answer.
      return isAbsent(heard.status) || result.kind === 'never' ? alone() : events.map(() => result);
    } catch (error) {
      const result = failed(error);
      return events.map(() => result);
    }
  };
  const together = coalesced(sendMany, batchLimits);

  const send = async (event: string, signal: AbortSignal, mayBegin?: MayBegin): Promise<SendResult> => {
    if (batch === undefined) return sendOne(event, signal, mayBegin);
    if (offered === undefined && inFlight > 0) await detect(signal);
    if (offered === true) return together(event, signal, mayBegin);
    inFlight += 1;
    return sendOne(event, signal, mayBegin).finally(() => {
      inFlight -= 1;
    });
  };

  const probe = async (signal: AbortSignal) => {
    try {
      const answer = await ask(pathOf(''), undefined, signal, false);
      const result = classifyAnswer(answer, parts.now());
      // A path that takes posts answers a GET with 405, or 400 for want of parameters; that it answers is enough.
      const ok = result.kind === 'sent' || result.kind === 'never' || answer.status === 405;
      return { ok, detail: `${shown(target)} ${ok ? `answers (http ${answer.status})` : reasonOf(result)}` };
    } catch (error) {
      return { ok: false, detail: `${shown(target)} ${reasonOf(failed(error))}` };
    }
  };

  return { kind: 'http', send, probe, close: () => agent.destroy() };
}

type Response = Awaited<ReturnType<Agent['request']>>;

/** An answer, with the body of a 2xx where it was wanted. */
export interface Heard extends Answer {
  readonly text: string;
}

async function hear(response: Response, keep: boolean, secrets: readonly string[]): Promise<Heard> {
  const header = (name: string) => [response.headers[name] ?? []].flat()[0];
  const taken = response.statusCode >= 200 && response.statusCode < 300;
  return {
    status: response.statusCode,
    contentType: header('content-type'),
    retryAfter: header('retry-after'),
    location: header('location'),
    text: taken && keep ? await readText(response.body, answerChars) : '',
    hint: taken && keep ? '' : await readHint(response.body, response.statusCode, secrets),
  };
}

class OverallTimeout extends Error {
  readonly code = 'TIMEOUT';
}

const failed = (error: unknown): SendResult => (error instanceof TokenTrouble ? error.result : classifyError(error));
const shown = (target: URL): string => `${target.protocol}//${target.host}${target.pathname}`;
const reasonOf = (result: SendResult): string => (result.kind === 'sent' ? 'answers' : result.reason);

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
