// The catalogs of a metalake, from Gravitino's REST API. The last answer is used while a new one cannot be had; of a catalog's
// properties only its server is kept.
import { request } from 'undici';
import { z } from 'zod';
import { type GravitinoCatalog, gravitinoCatalog } from '../identity/identity.ts';
import type { NamesParts } from './names.ts';

export interface CatalogReader {
  /** The catalogs as of the last answer, at most some minutes old where the server answers; undefined before the first one. */
  read(): Promise<readonly GravitinoCatalog[] | undefined>;
}

const freshMs = 300_000;
const afterFailureMs = 15_000;
const timeoutMs = 5_000;
const largestAnswer = 16 * 1024 * 1024;

const answerSchema = z.object({
  code: z.literal(0),
  catalogs: z.array(
    z.object({ name: z.string(), provider: z.string().nullish(), properties: z.record(z.string(), z.string().nullable()).nullish() }),
  ),
});

export function catalogReader(
  server: { readonly url: string; readonly metalake?: string | undefined; readonly token?: string | undefined },
  { now, notify }: NamesParts,
): CatalogReader {
  let known: readonly GravitinoCatalog[] | undefined;
  let nextAt = 0;
  let asking: Promise<void> | undefined;

  async function ask(): Promise<void> {
    try {
      known = await listCatalogs(server);
      nextAt = now() + freshMs;
      notify('LOOKUP_FAILED', 'gravitino', undefined);
    } catch (error) {
      nextAt = now() + afterFailureMs;
      notify('LOOKUP_FAILED', 'gravitino', error instanceof Unreadable ? error.message : `no answer (${codeOf(error)})`);
    }
  }

  return {
    async read() {
      if (now() >= nextAt) {
        asking ??= ask().finally(() => {
          asking = undefined;
        });
        await asking;
      }
      return known;
    },
  };
}

class Unreadable extends Error {}

async function listCatalogs(server: Parameters<typeof catalogReader>[0]): Promise<GravitinoCatalog[]> {
  const base = server.url.replace(/\/+$/, '').replace(/\/api$/, '');
  const { statusCode, body } = await request(`${base}/api/metalakes/${encodeURIComponent(server.metalake ?? '')}/catalogs?details=true`, {
    headers: {
      accept: 'application/vnd.gravitino.v1+json',
      ...(server.token === undefined ? {} : { authorization: `Bearer ${server.token}` }),
    },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    signal: AbortSignal.timeout(timeoutMs * 2),
  });
  if (statusCode !== 200) {
    body.destroy();
    body.on('error', () => undefined);
    throw new Unreadable(`the list of catalogs is answered with http ${statusCode}`);
  }
  const parsed = answerSchema.safeParse(json(await limited(body)));
  if (!parsed.success) throw new Unreadable('the answer is no list of catalogs');
  return parsed.data.catalogs.map(({ name, provider, properties }) =>
    gravitinoCatalog({
      name,
      provider: provider ?? '',
      properties: Object.fromEntries(Object.entries(properties ?? {}).flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
    }),
  );
}

async function limited(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > largestAnswer) throw new Unreadable('the answer is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const codeOf = (error: unknown): string => {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : 'error';
};
