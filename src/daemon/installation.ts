// The own tables as belonging to this StreamPark: made at the first start, refused when they are another's.
import { randomBytes, randomUUID } from 'node:crypto';
import { ensureInstallation, type Installation, type State } from '../state/state.ts';
import type { Source } from '../watch/watch.ts';

/**
 * Reads, or makes, the installation.
 * @throws StateError STATE_FOREIGN; SourceError
 */
export async function installationOf(state: State, source: Source, now: number): Promise<Installation> {
  const { server, database, createdAt } = await source.fingerprint();
  return state.transaction((tx) =>
    ensureInstallation(
      tx,
      { server, database, smallestCreateTime: createdAt },
      { uuid: randomUUID, hex: (count) => randomBytes(count).toString('hex') },
      now,
    ),
  );
}
