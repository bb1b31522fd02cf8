// A certificate authority for tests of TLS, made anew by the openssl command: certificates of servers and of clients.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Issued {
  /** Paths of PEM files. */
  readonly cert: string;
  readonly key: string;
}

export interface Authority {
  readonly folder: string;
  /** Path of its own certificate. */
  readonly ca: string;
  /** A certificate for `commonName`; `alternates` as in `DNS:localhost,IP:127.0.0.1`. */
  issue(commonName: string, alternates?: string): Issued;
  remove(): void;
}

const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];

/** Undefined where openssl is not installed (in CI that is a failure). */
export function makeAuthority(name: string): Authority | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'spl-ca-'));
  const at = (file: string) => join(folder, file);
  const openssl = (...args: string[]) => execFileSync('openssl', args, { stdio: 'ignore' });
  try {
    openssl('req', '-x509', ...curve, '-keyout', at('ca.key'), '-out', at('ca.pem'), '-days', '2', '-subj', `/CN=${name}`);
  } catch (cause) {
    rmSync(folder, { recursive: true, force: true });
    if (process.env['CI'] === 'true') throw new Error('openssl is missing; CI must have it', { cause });
    return undefined;
  }
  let serial = 1;
  return {
    folder,
    ca: at('ca.pem'),
    issue(commonName, alternates) {
      const file = `${commonName}-${serial}`;
      const [key, request, cert, extensions] = [`${file}.key`, `${file}.csr`, `${file}.pem`, `${file}.ext`].map(at) as [
        string,
        string,
        string,
        string,
      ];
      writeFileSync(extensions, alternates === undefined ? '' : `subjectAltName=${alternates}\n`);
      openssl('req', ...curve, '-keyout', key, '-out', request, '-subj', `/CN=${commonName}`);
      const signed = ['-CA', at('ca.pem'), '-CAkey', at('ca.key'), '-set_serial', String(serial++), '-days', '2', '-extfile', extensions];
      openssl('x509', '-req', '-in', request, '-out', cert, ...signed);
      return { cert, key };
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
