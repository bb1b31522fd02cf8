// What a Marquez knows: its namespaces and the datasets in them, page by page over its REST API. Reads only.
import { readFileSync } from 'node:fs';
import { Agent, type Dispatcher } from 'undici';
import { z } from 'zod';
import { CodedError } from '../../errors/errors.ts';
import { AnswerError, askJson, tlsConnect } from '../../http/http.ts';
import type { KnownName } from '../../identity/identity.ts';
import type { DestinationSettings } from '../../settings/settings.ts';

export type HttpDestination = Extract<DestinationSettings, { type: 'http' }>;

const page = 1_000;
/** A consumer with more is not compared as a whole. */
const mostNames = 200_000;
/** Of one page: the names of 1,000 datasets with all that is known of them. */
const longestPage = 64 * 1024 * 1024;

const namespacesSchema = z.object({ namespaces: z.array(z.object({ name: z.string() })) });
const datasetsSchema = z.object({ datasets: z.array(z.object({ name: z.string() })) });

/** The answer is not that of a Marquez, or none. */
export class ConsumerError extends Error {}

/**
 * Every dataset by its namespace and name.
 * @throws ConsumerError with one line that says what was asked and what came, without tokens
 */
export async function knownNames(
  destination: HttpDestination,
): Promise<{ readonly names: readonly KnownName[]; readonly complete: boolean }> {
  const dispatcher = new Agent({ connect: connectOf(destination) });
  try {
    return await allNames({ destination, dispatcher });
  } finally {
    await dispatcher.close();
  }
}

/** A consumer, and the connections to it. */
interface Asked {
  readonly destination: HttpDestination;
  readonly dispatcher: Dispatcher;
}

function connectOf(destination: HttpDestination): ReturnType<typeof tlsConnect> {
  try {
    return tlsConnect(`destination ${destination.name}`, destination, destination.timeout);
  } catch (error) {
    throw error instanceof CodedError ? new ConsumerError(error.message, { cause: error }) : error;
  }
}

async function allNames(asked: Asked): ReturnType<typeof knownNames> {
  const base = apiOf(asked.destination);
  const names: KnownName[] = [];
  const namespaces = await pages(asked, `${base}/namespaces`, namespacesSchema, (answer) => answer.namespaces);
  for (const namespace of namespaces) {
    const path = `${base}/namespaces/${encodeURIComponent(namespace)}/datasets`;
    const found = await pages(asked, path, datasetsSchema, (answer) => answer.datasets);
    names.push(...found.map((name) => ({ namespace, name })));
    if (names.length > mostNames) return { names: names.slice(0, mostNames), complete: false };
  }
  return { names, complete: true };
}

/** Beside the endpoint that takes the events: `…/api/v1/lineage` -> `…/api/v1`. */
function apiOf({ url, endpoint }: HttpDestination): string {
  const target = new URL(url);
  const base = target.pathname.replace(/\/+$/, '').replace(/\/api\/v1(\/lineage)?$/, '');
  const own = endpoint?.replace(/\/api\/v1\/lineage$/, '').replace(/\/+$/, '');
  return `${target.origin}${base}${own === undefined || base.endsWith(own) ? '' : own}/api/v1`;
}

async function pages<T>(
  asked: Asked,
  path: string,
  schema: z.ZodType<T>,
  list: (answer: T) => readonly { readonly name: string }[],
): Promise<string[]> {
  const found = new Set<string>();
  let offset = 0;
  while (found.size <= mostNames) {
    const answer = list(await get(asked, `${path}?limit=${page}&offset=${offset}`, schema));
    const before = found.size;
    for (const { name } of answer) found.add(name);
    // A page may be smaller than what was asked for; a server that knows no pages gives the same again.
    if (found.size === before) break;
    offset += answer.length;
  }
  return [...found];
}

async function get<T>({ destination, dispatcher }: Asked, path: string, schema: z.ZodType<T>): Promise<T> {
  const url = new URL(path);
  const shown = url.pathname;
  let body: unknown;
  try {
    body = await askJson({
      url,
      headers: { accept: 'application/json', ...destination.headers, ...authorization(destination) },
      timeoutMs: destination.timeout,
      maxBytes: longestPage,
      dispatcher,
    });
  } catch (error) {
    if (!(error instanceof AnswerError)) throw error;
    throw new ConsumerError(`${shown}: ${error.message}`, { cause: error });
  }
  const parsed = schema.safeParse(body);
  if (!parsed.success) throw new ConsumerError(`${shown}: the answer is not that of a Marquez`);
  return parsed.data;
}

function authorization({ token, tokenFile }: HttpDestination): { readonly authorization?: string } {
  const text = token ?? (tokenFile === undefined ? undefined : readFileSync(tokenFile, 'utf8').trim());
  return text === undefined ? {} : { authorization: `Bearer ${text}` };
}
