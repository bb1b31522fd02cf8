// Reads tables through Iceberg's REST catalog API (config, loadTable and, for client credentials, the token endpoint).
import { z } from 'zod';
import type { CatalogSettings } from '../settings/settings.ts';
import { icebergTable } from './iceberg.ts';
import { type Post, restOf } from './rest.ts';
import { type CatalogReader, type Definition, pathPart, Unreadable } from './table.ts';

type Settings = Extract<CatalogSettings, { type: 'iceberg-rest' }>;

const texts = z.record(z.string(), z.string().nullable()).nullish();
const config = z.object({ defaults: texts, overrides: texts });
const loaded = z.object({ metadata: z.unknown() });
const granted = z.object({ access_token: z.string().min(1) });
/** As the API has it where the server names no other. */
const separator = '%1F';

export function icebergRestReader(entry: Settings, definition: Definition): CatalogReader {
  const rest = restOf(entry, (post, signal) => tokenFor(entry, post, signal));
  const levels = (definition?.options['base-namespace'] ?? '').split('.').filter((level) => level !== '');
  let configured: Promise<{ readonly prefix: string; readonly separator: string }> | undefined;
  const configuration = async (signal: AbortSignal) => {
    const answer = config.safeParse(await rest.get('v1/config', { warehouse: entry.warehouse }, signal));
    if (!answer.success) throw new Unreadable('catalog', 'the server answers as no Iceberg REST catalog does');
    const all = { ...answer.data.defaults, ...answer.data.overrides };
    return { prefix: all['prefix'] ?? '', separator: all['namespace-separator'] ?? separator };
  };
  const ready = (signal: AbortSignal) => {
    configured ??= configuration(signal);
    return configured;
  };
  return {
    async read([, database, table], signal) {
      const found = await ready(signal);
      const namespace = [...levels, ...database.split('.')].map(pathPart).join(found.separator);
      const path = ['v1', ...(found.prefix === '' ? [] : [found.prefix]), 'namespaces', namespace, 'tables', pathPart(table)];
      const answer = await rest.get(path.join('/'), { snapshots: 'refs' }, signal);
      if (answer === undefined) return undefined;
      const parsed = loaded.safeParse(answer);
      if (!parsed.success) throw new Unreadable('table', 'the server answers with something that is no table');
      return icebergTable(parsed.data.metadata);
    },
    probe: async (signal) => void (await ready(signal)),
    close: () => rest.close(),
  };
}

async function tokenFor(entry: Settings, post: Post, signal: AbortSignal): Promise<string | undefined> {
  if (entry.credential === undefined) return undefined;
  const colon = entry.credential.indexOf(':');
  const form = {
    grant_type: 'client_credentials',
    client_id: entry.credential.slice(0, colon),
    client_secret: entry.credential.slice(colon + 1),
    scope: entry.scope,
  };
  const answer = granted.safeParse(await post(entry.oauthUri ?? `${entry.uri.replace(/\/+$/, '')}/v1/oauth/tokens`, form, signal));
  if (!answer.success) throw new Unreadable('catalog', 'the server gives no token for the credential');
  return `Bearer ${answer.data.access_token}`;
}
