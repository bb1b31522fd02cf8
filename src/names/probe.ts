// Whether what the settings allow to be asked answers: every connection and the catalogs of Gravitino, once.
import type { Pattern } from '../identity/identity.ts';
import { namespaceOf, parseConnection } from './connections.ts';
import { catalogReader } from './gravitino.ts';
import { createListings } from './listings.ts';
import type { NamesSettings } from './names.ts';

export interface Probed {
  /** The server, without user and password. */
  readonly subject: string;
  /** How many names there are; undefined when it does not answer. */
  readonly count: number | undefined;
  readonly problem: string | undefined;
}

/** Asks everything side by side; nothing where no look-up is allowed. */
export async function probeNames(settings: NamesSettings, now: () => number): Promise<Probed[]> {
  const silent = { now, notify: () => undefined };
  const connections = settings.expandPatterns ? settings.connections : [];
  const listings = createListings(connections, silent);
  const probed = connections.map(async (connection): Promise<Probed> => {
    const { kind, namespace } = namespaceOf(connection);
    const [, ofUrl] = /^\/([^?/]+)/.exec(parseConnection(connection.url).rest) ?? [];
    const database = kind === 'postgres' ? (ofUrl ?? 'postgres') : null;
    const pattern: Pattern = { kind, namespace, database, levels: [], ignoreCase: false };
    const found = await listings.list(pattern);
    return 'problem' in found
      ? { subject: namespace, count: undefined, problem: found.problem }
      : { subject: namespace, count: found.names.length, problem: undefined };
  });
  return [...(await Promise.all(probed)), ...(await probeCatalogs(settings, now))];
}

async function probeCatalogs({ profile, gravitino }: NamesSettings, now: () => number): Promise<Probed[]> {
  const { url } = gravitino;
  if (profile !== 'gravitino' || url === undefined) return [];
  let problem: string | undefined;
  const notify = (_code: string, _subject: string, said: string | undefined) => {
    problem = said;
  };
  const catalogs = await catalogReader({ ...gravitino, url }, { now, notify }).read();
  return [{ subject: `catalogs of ${gravitino.metalake ?? ''}`, count: catalogs?.length, problem }];
}
