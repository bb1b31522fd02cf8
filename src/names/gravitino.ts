// The catalogs of a metalake, from Gravitino's REST API. The last answer is used while a new one cannot be had; of a catalog's
// properties only its server is kept.
import { z } from 'zod';
import { systemCode } from '../errors/errors.ts';
import { AnswerError, askJson } from '../http/http.ts';
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
      notify('LOOKUP_FAILED', 'gravitino', `the list of catalogs: ${error instanceof AnswerError ? error.message : systemCode(error)}`);
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

async function listCatalogs(server: Parameters<typeof catalogReader>[0]): Promise<GravitinoCatalog[]> {
  const base = server.url.replace(/\/+$/, '').replace(/\/api$/, '');
  const answer = await askJson({
    url: new URL(`${base}/api/metalakes/${encodeURIComponent(server.metalake ?? '')}/catalogs?details=true`),
    headers: {
      accept: 'application/vnd.gravitino.v1+json',
      ...(server.token === undefined ? {} : { authorization: `Bearer ${server.token}` }),
    },
    timeoutMs,
    maxBytes: largestAnswer,
    signal: AbortSignal.timeout(timeoutMs * 2),
  });
  const parsed = answerSchema.safeParse(answer);
  if (!parsed.success) throw new AnswerError('notJson', 'the answer is another one');
  return parsed.data.catalogs.map(({ name, provider, properties }) =>
    gravitinoCatalog({
      name,
      provider: provider ?? '',
      properties: Object.fromEntries(Object.entries(properties ?? {}).flatMap(([key, value]) => (value === null ? [] : [[key, value]]))),
    }),
  );
}
