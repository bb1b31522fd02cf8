// The two databases as the settings name them, for commands that open them once.
import { type Database, familyOf, openDatabase } from '../database/database.ts';
import { ConfigError } from '../errors/errors.ts';
import { connectionOptions, type Settings } from '../settings/settings.ts';
import type { SourceFingerprint, StateOptions } from '../state/state.ts';
import type { Fingerprint } from '../watch/watch.ts';

/**
 * Opens StreamPark's database; it connects at the first query.
 * @param statementTimeoutMs limit for one statement, enforced by the server
 * @throws ConfigError without a usable source.url
 */
export function connectSource(settings: Settings, statementTimeoutMs: number): Database<unknown> {
  return openDatabase<unknown>(sourceUrl(settings), {
    statementTimeoutMs,
    connectTimeoutMs: 5_000,
    poolSize: 2,
    schema: settings.source.schema,
    onIdleError: () => undefined,
    ...connectionOptions(settings.source),
  });
}

/**
 * Where the own tables are: state.url, else the server of source.url.
 * @throws ConfigError without a usable URL
 */
export function stateOptionsOf(settings: Settings): StateOptions {
  const { source, state } = settings;
  const url = state.url === undefined ? sourceUrl(settings) : checked('state.url', state.url);
  return { url, schema: state.schema, connection: connectionOptions(state.url === undefined ? source : state) };
}

/** The fingerprint of the source as the own tables keep it. */
export function fingerprintOf({ server, database, createdAt }: Fingerprint): SourceFingerprint {
  return { server, database, smallestCreateTime: createdAt };
}

function sourceUrl(settings: Settings): string {
  if (settings.source.url === undefined) {
    throw new ConfigError('CONFIG_INVALID', 'source.url is not set (STREAMPARK_LINEAGE_SOURCE_URL): the database that StreamPark uses');
  }
  return checked('source.url', settings.source.url);
}

/** The value is a secret, so the message does not repeat it. */
function checked(option: string, url: string): string {
  if (familyOf(url) !== undefined && URL.canParse(url)) return url;
  throw new ConfigError(
    'CONFIG_INVALID',
    `${option} is not a URL that begins with mysql://, mariadb://, postgres:// or postgresql:// (write special characters of a password as %XX)`,
  );
}
