// Who this installation is: its id, the key of its hashes, and the StreamPark database it belongs to. A copy of the own
// tables beside another StreamPark would report runs under foreign evidence, so it is refused until an operator adopts it.
import { StateError } from '../errors/errors.ts';
import { insertIfAbsent } from './dialect.ts';
import type { StateDb, StateTx } from './schema.ts';

/** What a StreamPark database is recognised by. `smallestCreateTime` is raw text, null while it has no application. */
export interface SourceFingerprint {
  readonly server: string;
  readonly database: string;
  readonly smallestCreateTime: string | null;
}

export interface Installation {
  readonly id: string;
  /** 32 bytes as hex: key of the hashes that stand for secrets. */
  readonly hashKey: string;
  readonly source: SourceFingerprint;
}

/** Source of what must be unpredictable. */
export interface Randomness {
  readonly uuid: () => string;
  /** `count` random bytes as hex. */
  readonly hex: (count: number) => string;
}

const slot = 1;

/** The installation, or undefined before the first start. */
export async function readInstallation(db: StateDb): Promise<Installation | undefined> {
  const row = await db.selectFrom('installation').selectAll().where('slot', '=', slot).executeTakeFirst();
  if (row === undefined) return undefined;
  return {
    id: row.installation_id,
    hashKey: row.hash_key,
    source: { server: row.source_server, database: row.source_database, smallestCreateTime: row.smallest_create_time },
  };
}

/**
 * The installation of this source; made at the first start.
 * @param now ms since the epoch
 * @throws StateError STATE_FOREIGN when the own tables belong to another source
 */
export async function ensureInstallation(tx: StateTx, source: SourceFingerprint, random: Randomness, now: number): Promise<Installation> {
  await insertIfAbsent(tx, 'installation', 'slot', [
    {
      slot,
      installation_id: random.uuid(),
      hash_key: random.hex(32),
      source_server: source.server,
      source_database: source.database,
      smallest_create_time: source.smallestCreateTime,
      created_at: now,
      adopted_at: null,
      learned_zone: null,
    },
  ]);
  const installation = (await readInstallation(tx)) as Installation;
  const difference = differenceOf(installation.source, source);
  if (difference !== undefined)
    throw new StateError('STATE_FOREIGN', `the state tables belong to another StreamPark database: ${difference}`);
  if (source.smallestCreateTime === null || source.smallestCreateTime === installation.source.smallestCreateTime) return installation;
  await tx.updateTable('installation').set({ smallest_create_time: source.smallestCreateTime }).where('slot', '=', slot).execute();
  return { ...installation, source };
}

/** Takes the source as it is now for the one these tables belong to; the id and the key stay. False before the first start. */
export async function adoptInstallation(tx: StateTx, source: SourceFingerprint, now: number): Promise<boolean> {
  const updated = await tx
    .updateTable('installation')
    .set({
      source_server: source.server,
      source_database: source.database,
      smallest_create_time: source.smallestCreateTime,
      adopted_at: now,
    })
    .where('slot', '=', slot)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** What was learned about the zone of StreamPark's times, as its stage wrote it. */
export async function readLearnedZone(db: StateDb): Promise<string | null> {
  const row = await db.selectFrom('installation').select('learned_zone').where('slot', '=', slot).executeTakeFirst();
  return row?.learned_zone ?? null;
}

/** Keeps it over restarts, when StreamPark may not write anything for a long time. */
export async function saveLearnedZone(tx: StateTx, json: string): Promise<void> {
  await tx.updateTable('installation').set({ learned_zone: json }).where('slot', '=', slot).execute();
}

/**
 * What makes `seen` another source than `known`. The smallest create_time may grow (the oldest application was deleted) and
 * appear (there was none), but an application older than all that were ever there comes from elsewhere.
 */
function differenceOf(known: SourceFingerprint, seen: SourceFingerprint): string | undefined {
  if (known.server !== seen.server) return `server ${known.server} became ${seen.server}`;
  if (known.database !== seen.database) return `database ${known.database} became ${seen.database}`;
  const [before, now] = [known.smallestCreateTime, seen.smallestCreateTime];
  if (before !== null && now !== null && now < before) return `its oldest application is of ${now}, it was of ${before}`;
  return undefined;
}
