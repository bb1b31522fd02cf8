// TLS to a database, for both drivers. The files are read for each new connection: a renewed certificate needs no restart.
import { readFileSync } from 'node:fs';

/** `ca`, `cert` and `key` are paths of PEM files. */
export interface TlsFiles {
  readonly mode: 'require' | 'verify-ca' | 'verify-full';
  readonly ca?: string | undefined;
  readonly cert?: string | undefined;
  readonly key?: string | undefined;
}

/** The option `ssl` of mysql2 and pg. */
export interface SslOption {
  readonly rejectUnauthorized: boolean;
  /** mysql2 only: compare the host name. */
  readonly verifyIdentity: boolean;
  /** pg only, which compares the host name unless it is told otherwise. */
  checkServerIdentity?: () => undefined;
  ca?: string;
  cert?: string;
  key?: string;
}

/** @throws what the file system throws when a file cannot be read */
export function sslOption(files: TlsFiles): SslOption {
  const { mode } = files;
  const option: SslOption = { rejectUnauthorized: mode !== 'require', verifyIdentity: mode === 'verify-full' };
  if (mode !== 'verify-full') option.checkServerIdentity = () => undefined;
  for (const part of ['ca', 'cert', 'key'] as const) {
    const path = files[part];
    if (path === undefined) continue;
    let last = readFileSync(path, 'utf8');
    const read = () => {
      try {
        last = readFileSync(path, 'utf8');
      } catch {
        // being replaced: what was read before holds
      }
      return last;
    };
    Object.defineProperty(option, part, { get: read, enumerable: true, configurable: true });
  }
  return option;
}

// Node's codes for certificates and handshakes; mysql2 puts codes of its own in their place.
const tlsCode =
  /^(HANDSHAKE_(NO_)?SSL|EPROTO|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED|UNABLE_TO_|CERT_|ERR_TLS_|ERR_SSL_|ERR_OSSL_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|CRL_)/;
const refusedWithoutTls =
  /does not support SSL|establishing an SSL connection|insecure transport|no pg_hba\.conf entry .*no encryption|certificate required|requires a valid client certificate/i;

/** Whether an error of a driver is about TLS: a certificate, a server without TLS, or one that asks for it. */
export function isTlsFailure(error: unknown): boolean {
  const { code, message } = (typeof error === 'object' && error !== null ? error : {}) as { code?: unknown; message?: unknown };
  return tlsCode.test(String(code ?? '')) || refusedWithoutTls.test(String(message ?? ''));
}
