// A self-signed certificate for localhost, made anew for each run of the tests by the openssl command.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** PEM texts; undefined where openssl is not installed (in CI that is a failure). */
export function makeCertificate(): { readonly certificate: string; readonly privateKey: string } | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'spl-cert-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  try {
    execFileSync('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-days', '2', ...subject], { stdio: 'ignore' });
    return { certificate: readFileSync(cert, 'utf8'), privateKey: readFileSync(key, 'utf8') };
  } catch (cause) {
    if (process.env['CI'] === 'true') throw new Error('openssl is missing; CI must have it', { cause });
    return undefined;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
