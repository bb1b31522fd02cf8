// Each rule on events that break it, and only it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { consumers, createChecker, type Finding, ownCheck, rules } from '../../src/validation/validation.ts';
import { ownSchemas } from '../schemas/files.ts';
import { repositoryRoot } from '../support/shared.ts';
import { corpusEvents } from './corpus.ts';

const check = ownCheck(ownSchemas());
const stamp = { _producer: 'https://example.org/p', _schemaURL: 'https://example.org/s' };
const id = (n: number) => `00000000-0000-0000-0000-${String(n).padStart(12, '0')}`;
const event = (more: Record<string, unknown> = {}, run = 1, second = 0) => ({
  eventType: 'START',
  eventTime: new Date(Date.parse('2026-03-14T09:00:00Z') + second * 1000).toISOString(),
  producer: 'https://example.org/p',
  schemaURL: 'https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent',
  run: { runId: id(run) },
  job: { namespace: 'ns', name: 'job' },
  ...more,
});
const dataset = (namespace: string, name: string, more = {}) => ({ namespace, name, ...more });

async function findings(...events: unknown[]): Promise<Finding[]> {
  const checker = createChecker(check, consumers);
  const found: Finding[] = [];
  for (const one of events) found.push(...(await checker.take(typeof one === 'string' ? one : JSON.stringify(one))));
  return found;
}
const said = async (...events: unknown[]) => (await findings(...events)).map(({ rule, path }) => `${rule} ${path}`);

describe('the run cycle', () => {
  it('is content with a life, and with two at once', async () => {
    const life = (run: number) => ['START', 'RUNNING', 'COMPLETE'].map((eventType, i) => event({ eventType }, run, i));
    const [a, b] = [life(1), life(2)];
    expect(await said(a[0], b[0], a[1], b[1], b[2], a[2])).toEqual([]);
  });

  it('names what breaks it', async () => {
    expect(await said(event({ eventType: 'COMPLETE' }))).toEqual(['cycle-start /eventType']);
    expect(await said(event({ eventType: 'RUNNING' }), event({ eventType: 'FAIL' }, 1, 1))).toEqual(['cycle-early /eventType']);
    expect(await said(event(), event({ eventType: 'ABORT' }, 1, 1), event({ eventType: 'RUNNING' }, 1, 2))).toEqual([
      'cycle-ended /eventType',
    ]);
    expect(await said(event(), event({ eventType: 'ABORT' }, 1, 1), event({ eventType: 'ABORT' }, 1, 1))).toEqual([
      'cycle-again /eventType',
    ]);
    expect(await said(event(), event({}, 1, 1))).toEqual(['cycle-again /eventType']);
    expect(await said(event(), event({ eventType: 'RUNNING', job: { namespace: 'ns', name: 'other' } }, 1, 1))).toEqual(['cycle-job /job']);
    expect(await said(event({}, 1, 5), event({ eventType: 'RUNNING' }, 1, 1))).toEqual(['cycle-time /eventTime']);
    const inputs = [dataset('mysql://b:3306', 'd.t')];
    expect(await said(event({ inputs }), event({ eventType: 'COMPLETE' }, 1, 1))).toEqual(['cycle-bare /inputs']);
  });
});

describe('naming', () => {
  const named = (namespace: string, name: string) => said(event({ outputs: [dataset(namespace, name)] }));
  it.each([
    ['kafka://b:9092', 'topic'],
    ['mysql://h:3306', 'db.t'],
    ['postgres://h:5432', 'db.public.t'],
    ['s3://bucket', 'a/b'],
    ['file', '/a.b/c.d'],
    ['hdfs://nn:8020', '/a.b'],
    ['abfss://c@a.dfs.core.windows.net', 'a.b'],
    ['arn:aws:glue:eu-west-1:123456789012', 'table/d.b/t'],
    ['bigquery', 'p.d.t'],
  ])('knows %s', async (namespace, name) => {
    expect((await named(namespace, name)).filter((one) => !one.startsWith('limit'))).toEqual([]);
  });
  it.each([
    ['mysql://root:secret@h:3306', 'db.t', 'name-secret /outputs/0/namespace'],
    ['mysql://h:3306/', 'db.t', 'name-form /outputs/0/namespace'],
    ['mysql://', 'db.t', 'name-form /outputs/0/namespace'],
    ['mysql://h:3306', 't', 'name-form /outputs/0/name'],
    ['nosuch://h', 'a.t', 'name-unknown /outputs/0/namespace'],
    ['metalake', 'c.s.t', 'name-unknown /outputs/0/namespace'],
    [' kafka://b:9092', 'a.t', 'name-blank /outputs/0/namespace'],
    ['kafka://b:9092', ' ', 'name-blank /outputs/0/name'],
    ['kafka://b:9092', 'a.\u0007', 'name-blank /outputs/0/name'],
  ])('finds fault with %s %s', async (namespace, name, fault) => {
    expect((await named(namespace, name)).filter((one) => !one.startsWith('limit'))).toContain(fault);
  });
});

describe('limits', () => {
  const limits = async (given: unknown) =>
    (await findings(given)).filter(({ rule }) => rule === 'limit').map(({ consumer, path }) => `${consumer} ${path}`);
  it('name the consumer', async () => {
    expect(await limits(event({ job: { namespace: 'my team', name: 'j' } }))).toEqual(['marquez /job/namespace']);
    expect(await limits(event({ inputs: [dataset('kafka://a:1,b:2', 'a.t')] }))).toEqual(['marquez /inputs/0/namespace']);
    expect(await limits(event({ inputs: [dataset('kafka://a:1', `a.${'x'.repeat(254)}`)] }))).toEqual(['marquez /inputs/0/name']);
    const schema = { ...stamp, fields: [{ name: 'r', fields: [{ name: 'a', ordinal_position: 1 }] }] };
    expect(await limits(event({ inputs: [dataset('kafka://a:1', 'a.t', { facets: { schema } })] }))).toEqual([
      'gravitino /inputs/0/facets/schema/fields',
    ]);
    expect(await limits(event({ inputs: [dataset('kafka://a:1', 'topic')] }))).toEqual(['openmetadata /inputs/0/name']);
    const sql = { ...stamp, query: 'x'.repeat(400_000) };
    expect(await limits(event({ job: { namespace: 'ns', name: 'j', facets: { sql } } }))).toEqual(['aws ']);
    expect(await limits(event({ eventType: undefined }))).toEqual(['marquez ']);
    const facets = { mine: { ...stamp, a: null } };
    expect(await limits(event({ job: { namespace: 'ns', name: 'j', facets } }))).toEqual(['gravitino /job/facets']);
  });
});

describe('lines and events', () => {
  it.each(['', 'text', '[]', 'null', '1', '{"a":', '{} {}'])('refuses %j', async (text) => {
    expect(await said(text)).toEqual(['json ']);
  });

  it('gives a JSON Pointer also where keys hold slashes', async () => {
    const { versionedCheck } = await import('../../src/validation/validation.ts');
    const facets = { 'a/b~c': { ...stamp } };
    const found = await versionedCheck(ownSchemas())(event({ job: { namespace: 'ns', name: 'j', facets } }));
    expect(found.map(({ rule, path }) => `${rule} ${path}`)).toEqual(['schema-unknown /job/facets/a~1b~0c']);
  });

  it('finds no error in our own events', async () => {
    expect((await findings(...corpusEvents())).filter(({ level }) => level === 'error')).toEqual([]);
  });
});

it('docs/validate.md lists every rule as it is', () => {
  const page = readFileSync(join(repositoryRoot, 'docs/validate.md'), 'utf8');
  for (const [rule, { level, meaning }] of Object.entries(rules)) expect(page).toContain(`| \`${rule}\` | ${level} | ${meaning} |`);
  for (const consumer of consumers) expect(page).toContain(`\`${consumer}\``);
});
