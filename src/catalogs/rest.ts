// GET of JSON from a catalog server, with limits on time and size. No redirect is followed: a token is for one address.
import { readFile, stat } from 'node:fs/promises';
import { Agent } from 'undici';
import { systemCode } from '../errors/errors.ts';
import { AnswerError, askJson, type Question } from '../http/http.ts';
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

  const ask = async (url: URL, asked: Pick<Question, 'method' | 'headers' | 'body'>, signal: AbortSignal): Promise<unknown> => {
    const dispatcher = await opened();
    try {
      return await askJson({ url, ...asked, timeoutMs: entry.timeout, maxBytes, signal, dispatcher });
    } catch (cause) {
      if (!(cause instanceof AnswerError)) throw cause;
      if (cause.status === 404) return undefined;
      throw new Unreadable(cause.kind === 'tooLong' ? 'table' : 'catalog', cause.message, { cause });
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
    throw new Unreadable('catalog', `the ${what} file cannot be read (${systemCode(cause)})`, { cause });
  }
}
