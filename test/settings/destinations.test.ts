// What a destination may say, and that docs/transports.md explains every key of it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { destinationKeys, destinationSchema, presets } from '../../src/settings/destinations.ts';
import { readSettings } from '../../src/settings/settings.ts';
import { repositoryRoot } from '../support/shared.ts';

const problem = (given: Record<string, unknown>): string => {
  const result = destinationSchema.safeParse({ name: 'd', ...given });
  expect(result.success).toBe(false);
  return result.error?.issues.map(({ message }) => message).join('; ') ?? '';
};

describe('destinations', () => {
  it('refuse what cannot work together, with a reason', () => {
    const url = 'http://h';
    expect(problem({ type: 'http', url, preset: 'gravitino', compression: 'gzip' })).toContain('cannot read gzip');
    expect(problem({ type: 'http', url, preset: 'egeria' })).toContain('names the server');
    expect(problem({ type: 'http', url, token: 'a', tokenFile: 'b' })).toContain('one of token');
    expect(problem({ type: 'http', url, jwt: { tokenEndpoint: url } })).toContain('apiKey or apiKeyFile');
    const kafka = { type: 'kafka', brokers: 'a:1', topic: 't' };
    expect(problem({ ...kafka, acks: 'leader' })).toContain('acks: all');
    expect(problem({ ...kafka, brokers: 'a' })).toContain('host:port');
    expect(problem({ ...kafka, brokers: ['user:pw@a:1'] })).toContain('host:port');
    expect(problem({ ...kafka, topic: 'a b' })).toContain('letters');
    expect(problem({ ...kafka, sasl: { mechanism: 'plain', username: 'u' } })).toContain('password or passwordFile');
    expect(problem({ ...kafka, compression: 'zstd' })).toContain('gzip');
    expect(problem({ type: 'file', path: 'x', rotateAt: 10 })).toContain('1KiB');
    const file = { type: 'file', path: '/x' };
    expect(() =>
      readSettings(
        JSON.stringify({
          destinations: [
            { ...file, name: 'a' },
            { ...file, name: 'b' },
          ],
        }),
        {},
      ),
    ).toThrow('same file');
  });

  it('take lists and flags as people write them', () => {
    expect(
      destinationSchema.parse({ name: 'd', type: 'kafka', brokers: ' a:1, b:2 ', topic: 't', tls: 'true', idempotent: 'yes' }),
    ).toMatchObject({
      brokers: ['a:1', 'b:2'],
      tls: true,
      idempotent: true,
      acks: 'all',
      timeout: 30_000,
    });
  });

  it('never repeat a secret in a problem', () => {
    const destinations = [{ name: 'd', type: 'http', url: 'http://h', token: 'hunter2', preset: 'nope', jwt: { apiKey: 'hunter2' } }];
    try {
      readSettings(JSON.stringify({ destinations }), {});
      expect.unreachable();
    } catch (error) {
      expect((error as Error).message).not.toContain('hunter2');
    }
  });
});

describe('docs/transports.md', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/transports.md'), 'utf8');
  it('explains every key and every preset', () => {
    for (const key of new Set(Object.values(destinationKeys).flat())) expect(page, key).toContain(`\`${key}\``);
    for (const preset of presets) expect(page, preset).toContain(`\`${preset}\``);
  });
  it('gives settings that are valid', () => {
    const blocks = [...page.matchAll(/```yaml\n(destinations:[\s\S]*?)```/g)].map(([, yaml = '']) => yaml);
    expect(blocks.length).toBeGreaterThan(0);
    for (const yaml of blocks) expect(readSettings(yaml, {}).destinations.length, yaml).toBeGreaterThan(0);
  });
});
