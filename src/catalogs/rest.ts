// GET of JSON from a catalog server, with limits on time and size. No redirect is followed: a token is for one address.
import { readFile, stat } from 'node:fs/promises';
import { Agent, type Dispatcher } from 'undici';
import type { CatalogSettings } from '../settings/settings.ts';
import { Unreadable } from './table.ts';

export type RestSettings = Extract<CatalogSettings, { type: 'iceberg-rest' | 'paimon-rest' }>;

const maxBytes = 8 * 1024 * 1024;
const maxCertificate = 1024 * 1024;

export interface Rest {
  /** Undefined for 404. @throws Unreadable */
  get(path: string, query: Readonly<Record<string, string | undefined>>, signal: AbortSignal): Promise<unknown>;
  close(): void;
}

/** `authorization` is asked once, before the first request; it may post with what it is given. */
export function restOf(entry: RestSettings, authorization: (post: Post, signal: AbortSignal) => Promise<string | undefined>): Rest {
  let agent: Promise<Agent> | undefined;
  let header: Promise<string | undefined> | undefined;
  const opened = () => {
    agent ??= agentOf(entry);
    return agent;
  };
  const base = new URL(entry.uri);
  const user = base.username === '' ? undefined : `${decodeURIComponent(base.username)}:${decodeURIComponent(base.password)}`;
  const root = base.pathname.replace(/\/+$/, '');

  const ask = async (target: URL, options: Partial<Dispatcher.RequestOptions>, signal: AbortSignal): Promise<unknown> => {
    try {
      const { statusCode, body } = await (await opened()).request({
        origin: target.origin,
        path: target.pathname + target.search,
        method: 'GET',
        ...options,
        signal,
      });
      if (statusCode !== 200) {
        // The text is the server's own, and not repeated anywhere.
        await body.dump({ limit: 65_536, signal }).catch(() => undefined);
        if (statusCode === 404) return undefined;
        throw new Unreadable('catalog', `the server answers with status ${statusCode}`);
      }
      return JSON.parse(await textOf(body)) as unknown;
    } catch (cause) {
      if (cause instanceof Unreadable || signal.aborted) throw cause;
      if (cause instanceof SyntaxError) throw new Unreadable('catalog', 'the server answers with something that is no JSON', { cause });
      throw new Unreadable('catalog', `the server cannot be reached (${codeOf(cause)})`, { cause });
    }
  };
  const post: Post = (url, form, signal) =>
    ask(
      new URL(url),
      {
        method: 'POST',
        headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams(form).toString(),
      },
      signal,
    );

  return {
    async get(path, query, signal) {
      header ??= authorizationOf(entry, user).then((known) => known ?? authorization(post, signal));
      const authorized = await header;
      const target = new URL(base.origin);
      target.pathname = `${root}/${path}`;
      for (const [key, value] of Object.entries(query)) if (value !== undefined) target.searchParams.set(key, value);
      const headers = { accept: 'application/json', ...entry.headers, ...(authorized === undefined ? {} : { authorization: authorized }) };
      return ask(target, { headers }, signal);
    },
    close: () => void agent?.then((open) => open.destroy()).catch(() => undefined),
  };
}

/** Posts a form and gives the JSON of the answer. */
export type Post = (url: string, form: Readonly<Record<string, string>>, signal: AbortSignal) => Promise<unknown>;

async function agentOf({ timeout, ca }: RestSettings): Promise<Agent> {
  const certificate = ca === undefined || ca.includes('-----BEGIN') ? ca : await fileOf(ca, 'certificate');
  return new Agent({
    connect: { timeout, ...(certificate === undefined ? {} : { ca: certificate }) },
    headersTimeout: timeout,
    bodyTimeout: timeout,
    connections: 4,
    pipelining: 1,
  });
}

/** A token, the content of a token file, or user and password of the address. */
async function authorizationOf({ token, tokenFile }: RestSettings, user: string | undefined): Promise<string | undefined> {
  const written = token ?? (tokenFile === undefined ? undefined : (await fileOf(tokenFile, 'token')).trim());
  if (written !== undefined) return `Bearer ${written}`;
  return user === undefined ? undefined : `Basic ${Buffer.from(user).toString('base64')}`;
}

async function fileOf(path: string, what: string): Promise<string> {
  try {
    if ((await stat(path)).size > maxCertificate) throw new Unreadable('catalog', `the ${what} file is too large`);
    return await readFile(path, 'utf8');
  } catch (cause) {
    if (cause instanceof Unreadable) throw cause;
    throw new Unreadable('catalog', `the ${what} file cannot be read (${codeOf(cause)})`, { cause });
  }
}

async function textOf(body: Dispatcher.ResponseData['body']): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length;
    // Leaving the loop ends the connection.
    if (size > maxBytes) throw new Unreadable('table', `the answer is longer than ${maxBytes / 1024 / 1024} MiB`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function codeOf(cause: unknown): string {
  const code = (cause as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : 'error';
}
