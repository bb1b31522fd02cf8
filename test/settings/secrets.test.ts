// Secrets that stand in files, and what is said about TLS before anything is opened.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { effectiveSettings, listOptions, readSettings } from '../../src/settings/settings.ts';

const folder = mkdtempSync(join(tmpdir(), 'spl-secret-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};
const env = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`STREAMPARK_LINEAGE_${name}`, value]));
const pem = file('ca.pem', '-----BEGIN CERTIFICATE-----\n');

describe('a secret in a file', () => {
  it('is possible for every secret option, by an environment variable that ends in _FILE', () => {
    const all = listOptions();
    const secrets = all.filter(({ option }) => option.secret);
    expect(secrets.map(({ path }) => path)).toEqual([
      'source.url',
      'state.url',
      'lineage.gravitino.token',
      'identity.gravitino.token',
      'identity.connections',
      'relay.token',
    ]);
    for (const { env: name } of secrets) expect(all.map((listed) => listed.env)).toContain(`${name}_FILE`);
  });

  it('is read without the white space around it, from environment or settings file', () => {
    const url = file('url', '  postgres://u:p@h/d\n');
    expect(readSettings(undefined, env({ SOURCE_URL_FILE: url })).source.url).toBe('postgres://u:p@h/d');
    expect(readSettings(`state: { urlFile: ${url} }`, {}).state.url).toBe('postgres://u:p@h/d');
  });

  it('gives the destination the file, so that a refused token is read again', () => {
    const tokenFile = file('token', 't0ken\n');
    const settings = readSettings(undefined, env({ GRAVITINO_TOKEN_FILE: tokenFile, GRAVITINO_ADDRESS: 'http://g' }));
    const { destinations } = effectiveSettings(settings, { 'lineage.gravitino.token': 'stored' });
    expect(destinations).toMatchObject([{ tokenFile }]);
    expect(destinations[0]).not.toHaveProperty('token');
  });

  it.each([
    ['absent', { SOURCE_URL_FILE: join(folder, 'absent') }, /source\.urlFile: cannot read .*absent \(ENOENT\)/],
    ['empty', { SOURCE_URL_FILE: file('empty', ' \n') }, /^source\.urlFile: not valid$/],
    [
      'given twice',
      { SOURCE_URL_FILE: file('one', 'x'), SOURCE_URL: 'mysql://hunter2' },
      /SOURCE_URL: given twice, also as source\.urlFile/,
    ],
  ])('is refused when it is %s', (_, values, message) => {
    expect(() => readSettings(undefined, env(values))).toThrow(message);
    expect(() => readSettings(undefined, env(values))).not.toThrow(/hunter2/);
  });
});

describe('TLS of a database', () => {
  const url = 'mysql://u:hunter2@db.example.org/streampark';
  it.each([
    ['a file that is absent', { SOURCE_URL: url, SOURCE_TLS_CA: '/absent.pem' }, 'source.tls.ca: cannot read /absent.pem (ENOENT)'],
    ['a file of another form', { SOURCE_URL: url, SOURCE_TLS_CA: file('der', 'abc') }, 'not in PEM form'],
    ['a certificate without its key', { STATE_URL: url, STATE_TLS_CERT: pem }, 'state.tls: cert and key go together'],
    ['a file that mode off ignores', { SOURCE_URL: url, SOURCE_TLS_CA: pem, SOURCE_TLS_MODE: 'off' }, 'of no use with mode off'],
    ['another word in the URL', { SOURCE_URL: 'postgres://u:hunter2@db/s?sslmode=disable', SOURCE_TLS_CA: pem }, '(sslmode)'],
    ['an address whose name cannot be verified', { SOURCE_URL: 'mysql://u:hunter2@10.0.0.1/s', SOURCE_TLS_CA: pem }, 'set mode verify-ca'],
  ])('is refused with %s', (_, values, message) => {
    expect(() => readSettings(undefined, env(values))).toThrow(message);
    expect(() => readSettings(undefined, env(values))).not.toThrow(/hunter2/);
  });

  it('leaves the URL alone when nothing is said', () => {
    expect(readSettings(undefined, env({ SOURCE_URL: 'postgres://u@h/s?sslmode=require' })).source.tls).toEqual({});
  });
});
