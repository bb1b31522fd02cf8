// Reads tables through Paimon's REST catalog API (config and get table), with a bearer token.
import { z } from 'zod';
import type { CatalogSettings } from '../settings/settings.ts';
import { paimonTable, withoutSuffix } from './paimon.ts';
import { restOf } from './rest.ts';
import { type CatalogReader, type Definition, pathPart, Unreadable } from './table.ts';

const texts = z.record(z.string(), z.string().nullable()).nullish();
const config = z.object({ defaults: texts, overrides: texts });
const got = z.object({ path: z.string().nullish(), schema: z.unknown() });

/** @throws Unreadable where the script says that requests are signed for DLF and the settings have no bearer token instead */
export function paimonRestReader(entry: Extract<CatalogSettings, { type: 'paimon-rest' }>, definition: Definition): CatalogReader {
  if (definition?.options['token.provider']?.toLowerCase() === 'dlf' && entry.token === undefined && entry.tokenFile === undefined) {
    throw new Unreadable(
      'catalog',
      'its requests are signed for DLF (token.provider = dlf), which is not spoken here: give its tables a prelude',
    );
  }
  const rest = restOf(entry, async () => undefined);
  let prefix: Promise<string> | undefined;
  const configured = async (signal: AbortSignal) => {
    const answer = config.safeParse(await rest.get('v1/config', { warehouse: entry.warehouse }, signal));
    if (!answer.success) throw new Unreadable('catalog', 'the server answers as no Paimon REST catalog does');
    return { ...answer.data.defaults, ...answer.data.overrides }['prefix'] ?? '';
  };
  const ready = (signal: AbortSignal) => {
    prefix ??= configured(signal);
    return prefix;
  };
  return {
    async read([, database, table], signal) {
      const found = await ready(signal);
      const names = ['databases', pathPart(database), 'tables', pathPart(withoutSuffix(table))];
      const path = ['v1', ...(found === '' ? [] : [encodeURIComponent(found)]), ...names];
      const answer = await rest.get(path.join('/'), {}, signal);
      if (answer === undefined) return undefined;
      const parsed = got.safeParse(answer);
      if (!parsed.success) throw new Unreadable('table', 'the server answers with something that is no table');
      return paimonTable(parsed.data.schema, parsed.data.path ?? undefined);
    },
    probe: async (signal) => void (await ready(signal)),
    close: () => rest.close(),
  };
}
