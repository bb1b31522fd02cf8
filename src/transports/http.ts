// One event per POST, over few kept-alive connections. No redirect is followed and nothing is retried here: the outbox
// does that. The token may live in a file, which is read again when the destination refuses it.
import { readFile } from 'node:fs/promises';
import { Agent } from 'undici';
import type { SendResult } from '../outbox/outbox.ts';
import type { DestinationSettings } from '../settings/settings.ts';
import { readHint } from './body.ts';
import { type Answer, classifyAnswer, classifyError } from './classify.ts';
import { askedAgain } from './gate.ts';
import { applyProfile, type Preset, type Profile } from './profile.ts';
import { tlsConnect } from './tls.ts';
import type { Transport } from './transport.ts';

export type HttpDestination = Extract<DestinationSettings, { type: 'http' }>;

/** Path of each backend. */
export const endpoints: Readonly<Record<Preset, string>> = {
  gravitino: '/api/lineage',
  marquez: '/api/v1/lineage',
  openlineage: '/api/v1/lineage',
};

// Gravitino rewrites an Accept without its own type; some builds then refuse the request, so both types are named.
const accepts: Readonly<Record<Preset, string>> = {
  gravitino: 'application/vnd.gravitino.v1+json, application/json',
  marquez: 'application/json',
  openlineage: 'application/json',
};

export interface HttpParts {
  readonly version: string;
  readonly now: () => number;
}

/**
 * Where events are posted: url plus endpoint, without user info.
 * An url that already ends with the endpoint stays as it is.
 */
export function targetOf(destination: Pick<HttpDestination, 'url' | 'endpoint' | 'preset'>): URL {
  const target = new URL(destination.url);
  target.username = '';
  target.password = '';
  target.hash = '';
  const endpoint = destination.endpoint ?? endpoints[destination.preset];
  const base = target.pathname.replace(/\/+$/, '');
  target.pathname = base.endsWith(endpoint) ? base : base + endpoint;
  return target;
}

/** @throws ConfigError when the certificate file cannot be read */
export function httpTransport(destination: HttpDestination, parts: HttpParts): Transport {
  const target = targetOf(destination);
  const { timeout, preset } = destination;
  const profile: Profile = { preset, sparkProperties: destination.sparkProperties ?? preset === 'gravitino' };
  const agent = new Agent({
    connect: tlsConnect(destination, Math.min(10_000, timeout)),
    headersTimeout: timeout,
    bodyTimeout: timeout,
    connections: destination.concurrency,
    pipelining: 1,
    // Below the idle limits of common servers (Node 5 s, Jetty 30 s), so that no post meets a connection being closed.
    keepAliveTimeout: 4_000,
    keepAliveMaxTimeout: 25_000,
  });
  const gated = agent.compose(askedAgain);
  const token = tokenSource(destination);

  const path = target.pathname + target.search;
  const always = { accept: accepts[preset], 'user-agent': `streampark-lineage/${parts.version}`, ...lowerCased(destination.headers) };
  const posted = { 'content-type': 'application/json', ...always };
  const post = async (
    method: 'POST' | 'GET',
    body: string | undefined,
    signal: AbortSignal,
    mayBegin: () => boolean = () => true,
  ): Promise<Answer> => {
    const authorization = await token.header();
    const begun = performance.now();
    const fixed = body === undefined ? always : posted;
    const response = await gated.request({
      origin: target.origin,
      path,
      method,
      body: body ?? null,
      signal,
      opaque: mayBegin,
      headers: authorization === undefined ? fixed : { authorization, ...fixed },
    });
    // undici limits the wait for the headers and for each piece of the body; a body that drips is limited here.
    const stop = () => response.body.destroy(new OverallTimeout());
    const timer = setTimeout(stop, Math.max(1, timeout - (performance.now() - begun)));
    try {
      const header = (name: string) => [response.headers[name] ?? []].flat()[0];
      return {
        status: response.statusCode,
        contentType: header('content-type'),
        retryAfter: header('retry-after'),
        location: header('location'),
        hint: await readHint(response.body, response.statusCode, token.secrets()),
      };
    } finally {
      clearTimeout(timer);
    }
  };

  const send = async (event: string, signal: AbortSignal, mayBegin?: () => boolean): Promise<SendResult> => {
    try {
      const body = applyProfile(event, profile);
      const answer = await post('POST', body, signal, mayBegin);
      const refused = answer.status === 401 || answer.status === 403;
      const last = refused && (await token.refresh()) ? await post('POST', body, signal, mayBegin) : answer;
      return classifyAnswer(last, parts.now());
    } catch (error) {
      return error instanceof TokenUnreadable ? { kind: 'paused', reason: error.message } : classifyError(error);
    }
  };

  const probe = async (signal: AbortSignal) => {
    try {
      const answer = await post('GET', undefined, signal);
      const result = classifyAnswer(answer, parts.now());
      // A path that takes posts answers a GET with 405, or 400 for want of parameters; that it answers is enough.
      const ok = result.kind === 'sent' || result.kind === 'never' || answer.status === 405;
      return { ok, detail: `${shown(target)} ${ok ? `answers (http ${answer.status})` : reasonOf(result)}` };
    } catch (error) {
      const reason = error instanceof TokenUnreadable ? error.message : reasonOf(classifyError(error));
      return { ok: false, detail: `${shown(target)} ${reason}` };
    }
  };

  return { kind: 'http', send, probe, close: () => agent.destroy() };
}

class OverallTimeout extends Error {
  readonly code = 'TIMEOUT';
}
class TokenUnreadable extends Error {}

const shown = (target: URL): string => `${target.protocol}//${target.host}${target.pathname}`;
const reasonOf = (result: SendResult): string => (result.kind === 'sent' ? 'answers' : result.reason);

const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));

/** The Authorization header: a token, the content of a token file, or user and password of the URL. */
function tokenSource(destination: HttpDestination) {
  const { token, tokenFile, url } = destination;
  const { username, password } = new URL(url);
  let current = token;
  const basic =
    username === '' ? undefined : Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const readToken = async (file: string): Promise<string> => {
    try {
      return (await readFile(file, 'utf8')).trim();
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? 'error';
      throw new TokenUnreadable(`the token file cannot be read (${code})`);
    }
  };
  return {
    async header(): Promise<string | undefined> {
      if (current === undefined && tokenFile !== undefined) current = await readToken(tokenFile);
      if (current !== undefined) return `Bearer ${current}`;
      return basic === undefined ? undefined : `Basic ${basic}`;
    },
    /** Reads the token file again; true when there is another token in it. */
    async refresh(): Promise<boolean> {
      if (token !== undefined || tokenFile === undefined) return false;
      const before = current;
      current = await readToken(tokenFile);
      return current !== before;
    },
    /** Texts that must not appear in a reason. */
    secrets: (): string[] =>
      [current, basic, password && decodeURIComponent(password), ...Object.values(destination.headers)].filter(
        (text): text is string => text !== undefined && text.length >= 4,
      ),
  };
}
