// Connectors that a site describes in the settings.
import { describe, expect, it } from 'vitest';
import { distill, identify, ownConnectorProblems, ownConnectors } from '../../src/identity/identity.ts';
import { readSettings } from '../../src/settings/settings.ts';

const identityOf = (yaml: string) => readSettings(`identity:\n  connectors:\n${yaml.replace(/^/gm, '    ')}`, {}).identity;

function named(yaml: string, options: Record<string, string>, catalog: { type: string; options: Record<string, string> } | null = null) {
  const identity = identityOf(yaml);
  const own = ownConnectors(identity.connectors);
  const facts = { path: ['cat', 'db', 't'], temporary: false, options, columns: [], primaryKey: [], partitionKeys: [] } as const;
  const distilled = distill({ facts: { ...facts, path: ['cat', 'db', 't'] }, catalog }, null, own);
  return { found: identify(distilled, { ...identity, own }), distilled };
}
const one = (namespace: string, name: string) => ({ datasets: [{ namespace, name, symlinks: [] }] });

const tubemq = `tubemq:
  namespace: "tubemq://{master.rpc[first]}"
  name: "{group|default}.{topic}"
  requires: [format]
  aliases: [tubemq-ng]`;
const options = { 'master.rpc': ' m1:8715 , m2:8715', topic: 'orders', format: 'json' };

describe('a connector by templates', () => {
  it('takes options, the first of a list, defaults and aliases', () => {
    expect(named(tubemq, { connector: 'tubemq', ...options }).found).toEqual(one('tubemq://m1:8715', 'default.orders'));
    expect(named(tubemq, { connector: 'tubemq-ng', ...options, group: 'g' }).found).toEqual(one('tubemq://m1:8715', 'g.orders'));
  });

  it('takes the path of the table, and options of its catalog', () => {
    const yaml = 'acme: {namespace: "acme://{cluster}", name: "{$catalog}.{$database}.{$table}"}';
    expect(named(yaml, {}, { type: 'acme', options: { cluster: 'eu' } }).found).toEqual(one('acme://eu', 'cat.db.t'));
  });

  it('leaves out a table whose options do not make the name', () => {
    expect(named(tubemq, { connector: 'tubemq', topic: 'a', format: 'x' }).found).toMatchObject({
      reason: 'OPTION_MISSING',
      message: "option 'master.rpc' is missing",
    });
    expect(named(tubemq, { connector: 'tubemq', ...options, topic: ' ' }).found).toMatchObject({
      reason: 'OPTION_INVALID',
      message: "option 'topic' is empty",
    });
    expect(named(tubemq, { connector: 'tubemq', ...options, 'master.rpc': ' , ;' }).found).toMatchObject({ reason: 'OPTION_INVALID' });
    const { format: _, ...without } = options;
    expect(named(tubemq, { connector: 'tubemq', ...without }).found).toMatchObject({
      reason: 'OPTION_MISSING',
      message: "option 'format' is missing",
    });
    expect(named(tubemq, { connector: 'tubemq', ...options, topic: '${undefined_one}' }).found).toEqual(
      one('tubemq://m1:8715', 'default.${undefined_one}'),
    );
  });

  it('keeps only what it reads, without credentials', () => {
    const { distilled, found } = named('acme: {namespace: "{url}", name: t}', {
      connector: 'acme',
      url: 'acme://u:hunter2@h:1/d?x=1&password=hunter2',
      other: 'y',
    });
    expect(JSON.stringify(distilled.options)).not.toMatch(/hunter2|other/);
    expect(found).toEqual(one('acme://h:1/d?x=1', 't'));
  });

  it('wins over a connector of the program, a silent one too, and is mapped like any name', () => {
    expect(
      named('print: {namespace: "log://{$database}", name: "{print-identifier}"}', { connector: 'print', 'print-identifier': 'p' }).found,
    ).toEqual(one('log://db', 'p'));
    const kafka = { connector: 'kafka', topic: 'a', 'properties.bootstrap.servers': 'k:9092' };
    expect(named('kafka: {namespace: "bus", name: "{topic}"}', kafka).found).toEqual(one('bus', 'a'));
    expect(named(`${tubemq}\nother: {namespace: x, name: y}`, kafka).found).toEqual(one('kafka://k:9092', 'a'));
  });
});

describe('a connector like another', () => {
  const yaml = 'acme-kafka: {like: kafka, options: {acme.servers: properties.bootstrap.servers}, aliases: [ak]}';
  it('is named like it, its options read as that one’s', () => {
    expect(named(yaml, { connector: 'ak', 'acme.servers': 'u:p@k:9092', topic: 'a;b' }).found).toEqual({
      datasets: [
        { namespace: 'kafka://k:9092', name: 'a', symlinks: [] },
        { namespace: 'kafka://k:9092', name: 'b', symlinks: [] },
      ],
    });
  });
});

describe('settings that are wrong', () => {
  it.each([
    ['a: {namespace: "x"}', 'has namespace and name, or like'],
    ['a: {like: kafka, name: "x"}', 'has namespace and name, or like'],
    ['a: {namespace: "{x", name: y}', 'a brace without its other'],
    ['a: {namespace: "{$host}", name: y}', 'in braces stand'],
    ['a: {namespace: x, name: y, options: {a: b}}', 'options go with like'],
    ['a: {namespace: x, name: y, aliases: [b]}\nb: {namespace: x, name: y}', 'two connectors have the same name'],
    ['a: {namespaces: x}', 'namespaces'],
  ])('are refused: %s', (yaml, message) => {
    expect(() => identityOf(yaml)).toThrow(message);
  });

  it('are named where only the registry knows', () => {
    const { connectors } = identityOf(
      'a: {like: kafkaesque}\nb: {namespace: "x://{password}", name: y}\nc: {like: kafka, options: {api.key: topic}}',
    );
    expect(ownConnectorProblems(connectors)).toEqual([
      'identity.connectors.a: no connector kafkaesque is known',
      'identity.connectors.b: password may hold a secret, and a name is public',
      'identity.connectors.c: api.key may hold a secret, and a name is public',
    ]);
  });
});
