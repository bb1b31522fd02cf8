// What there is behind a connection: asked once a minute at most, by whoever needs it first; a server that does not answer is
// left alone for a while.
import { systemCode } from '../errors/errors.ts';
import type { Pattern } from '../identity/identity.ts';
import type { ConnectionSettings } from '../settings/settings.ts';
import { connectionFor, onlyDatabase } from './connections.ts';
import { listTopics } from './kafka.ts';
import type { FoundName } from './matching.ts';
import type { NamesParts } from './names.ts';
import { listTables } from './tables.ts';

export type Listing = { readonly names: readonly FoundName[] } | { readonly problem: string };

export interface Listings {
  /** All names at the place of a pattern. Never throws. */
  list(pattern: Pattern): Promise<Listing>;
  close(): Promise<void>;
}

const freshMs = 60_000;
const afterFailureMs = 30_000;

export function createListings(connections: readonly ConnectionSettings[], { now, notify }: NamesParts): Listings {
  const kept = new Map<string, { readonly at: number; readonly listing: Promise<Listing> }>();

  async function ask(pattern: Pattern): Promise<Listing> {
    const connection = connectionFor(pattern, connections);
    if (connection === undefined) return { problem: `identity.connections has none for ${pattern.namespace}` };
    try {
      const names = pattern.kind === 'kafka' ? await listTopics(connection) : await listTables(connection, pattern);
      notify('LOOKUP_FAILED', pattern.namespace, undefined);
      return { names };
    } catch (error) {
      // By its code alone: messages of drivers hold addresses and users.
      const problem = `the look-up failed: ${systemCode(error)}`;
      notify('LOOKUP_FAILED', pattern.namespace, problem);
      return { problem };
    }
  }

  return {
    async list(pattern) {
      const key = JSON.stringify([pattern.kind, pattern.namespace, pattern.database, onlyDatabase(pattern)]);
      const known = kept.get(key);
      const listing = known === undefined ? undefined : await known.listing;
      if (known !== undefined && listing !== undefined) {
        if (now() - known.at < ('names' in listing ? freshMs : afterFailureMs)) return listing;
      }
      // Whoever waited for the same listing meanwhile may have begun to ask again.
      const current = kept.get(key);
      if (current !== undefined && current !== known) return current.listing;
      const asked = ask(pattern);
      kept.set(key, { at: now(), listing: asked });
      return asked;
    },
    close: async () => kept.clear(),
  };
}
