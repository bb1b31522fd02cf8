// TLS of an http client: its authorities, and a certificate of ours. Each is a PEM file or the PEM text itself; files are
// looked at again for each new connection, so a renewed certificate needs no restart.
import { readFileSync } from 'node:fs';
import { buildConnector } from 'undici';
import { ConfigError } from '../errors/errors.ts';

export interface TlsSettings {
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

type Connect = buildConnector.BuildOptions | buildConnector.connector;

/**
 * The option `connect` of an undici agent.
 * @param owner whose settings these are, as messages begin: `destination marquez`
 * @param timeout of one connection attempt, ms
 * @throws ConfigError when a file cannot be read, or one of `cert` and `key` is missing
 */
export function tlsConnect(owner: string, settings: TlsSettings, timeout: number): Connect {
  const { ca, cert, key } = settings;
  if ((cert === undefined) !== (key === undefined)) throw new ConfigError('CONFIG_INVALID', `${owner}: cert and key go together`);
  if (ca === undefined && cert === undefined) return { timeout };
  const read = () => ({ ca: ca && pem(owner, 'ca', ca), cert: cert && pem(owner, 'cert', cert), key: key && pem(owner, 'key', key) });
  const connectorOf = (files: ReturnType<typeof read>) =>
    buildConnector({ timeout, ...Object.fromEntries(Object.entries(files).filter(([, text]) => text !== undefined)) });
  let files = read();
  let connector = connectorOf(files);
  return (options, callback) => {
    try {
      const now = read();
      if (now.ca !== files.ca || now.cert !== files.cert || now.key !== files.key) {
        connector = connectorOf(now);
        files = now;
      }
    } catch {
      // being replaced: what was read before holds
    }
    connector(options, callback);
  };
}

/**
 * The PEM text that an option names, or is.
 * @throws ConfigError when the file cannot be read
 */
export function pem(owner: string, option: string, value: string): string {
  if (value.includes('-----BEGIN')) return value;
  try {
    return readFileSync(value, 'utf8');
  } catch (cause) {
    throw new ConfigError('CONFIG_INVALID', `${owner}: cannot read ${option} ${value}`, { cause });
  }
}
