// TLS of an http destination: its authorities, and a certificate of ours. Each is a PEM file or the PEM text itself; files are
// looked at again for each new connection, so a renewed certificate needs no restart.
import { readFileSync } from 'node:fs';
import { buildConnector } from 'undici';
import { ConfigError } from '../errors/errors.ts';

export interface TlsSettings {
  readonly name: string;
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

type Connect = buildConnector.BuildOptions | buildConnector.connector;

/**
 * The option `connect` of an undici agent.
 * @param timeout of one connection attempt, ms
 * @throws ConfigError when a file cannot be read, or one of `cert` and `key` is missing
 */
export function tlsConnect(settings: TlsSettings, timeout: number): Connect {
  const { name, ca, cert, key } = settings;
  if ((cert === undefined) !== (key === undefined))
    throw new ConfigError('CONFIG_INVALID', `destination ${name}: cert and key go together`);
  if (ca === undefined && cert === undefined) return { timeout };
  const read = () => ({ ca: ca && pem(name, 'ca', ca), cert: cert && pem(name, 'cert', cert), key: key && pem(name, 'key', key) });
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
 * The PEM text that an option of a destination names.
 * @throws ConfigError when the file cannot be read
 */
export function pem(destination: string, option: string, value: string): string {
  if (value.includes('-----BEGIN')) return value;
  try {
    return readFileSync(value, 'utf8');
  } catch (cause) {
    throw new ConfigError('CONFIG_INVALID', `destination ${destination}: cannot read ${option} ${value}`, { cause });
  }
}
