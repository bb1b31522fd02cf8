// Argument lines and pipeline files against answers found by hand.
import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { type Program, programSecrets, recognise } from '../../src/actions/actions.ts';
import { distillTransfers, nameLineage, withoutToolCatalogs } from '../../src/identity/identity.ts';
import { settings } from '../identity/samples.ts';
import { lines, pipelines } from './lines.ts';

const program = (given: Partial<Program>): Program => ({ jar: 'app.jar', mainClass: null, args: '', config: null, ...given });

interface Named {
  readonly namespace: string;
  readonly name: string;
}
const shown = ({ namespace, name }: Named) => `${namespace} ${name}`;

function answer(given: Program) {
  const found = recognise(given);
  if (found === undefined) return undefined;
  const named = withoutToolCatalogs(nameLineage(distillTransfers(found.transfers), settings));
  return {
    action: `${found.tool} ${found.action}`,
    copies: named.pipelines.map(({ sink, inputs }) => `${shown(sink.dataset)} ← ${inputs.map(({ dataset }) => shown(dataset)).join(', ')}`),
    findings: [...found.findings.map(({ code }) => code), ...named.skipped.filter(({ silent }) => !silent).map(({ reason }) => reason)],
    named,
    messages: found.findings.map(({ message }) => message),
  };
}

describe('an argument line', () => {
  it('is one of more than forty', () => {
    expect(lines.length + pipelines.length).toBeGreaterThanOrEqual(60);
  });

  test.each(lines.map((line) => [line.args.slice(0, 110) || '(empty)', line] as const))('%s', (_, line) => {
    const { jar = 'app.jar', mainClass = null, args, config = null, action, copies, findings = [] } = line;
    const found = answer({ jar, mainClass, args, config });
    expect(found).toMatchObject({ action, copies, findings });
    expect(JSON.stringify(found)).not.toContain('s3cr3t');
  });
});

describe('a pipeline file', () => {
  test.each(pipelines.map((pipeline, i) => [i, pipeline] as const))('%i', (_, { text, copies, findings = [] }) => {
    const found = answer(program({ mainClass: 'org.apache.flink.cdc.cli.CliExecutor', config: text, args: 'p.yaml' }));
    expect(found).toMatchObject({ copies, findings });
    expect(JSON.stringify(found)).not.toContain('s3cr3t');
  });

  it('is taken from the argument itself, and from what the console hands its own client', () => {
    const text = pipelines[0]?.text ?? '';
    const flow = "{source: {type: mysql, hostname: db, tables: a.b}, sink: {type: kafka, properties.bootstrap.servers: 'k:1'}}";
    expect(answer(program({ jar: 'flink-cdc-dist-3.2.0.jar', args: `"${flow}"` }))?.copies).toEqual([
      'kafka://k:1 a.b ← mysql://db:3306 a.b',
    ]);
    const encoded = deflateSync(Buffer.from(text)).toString('base64');
    const own = program({ mainClass: 'org.apache.streampark.flink.cdc.cli.CDCClient', args: `--app.name x --sql ${encoded}` });
    expect(answer(own)?.copies).toHaveLength(2);
  });
});

it('knows a program by its main class, else by a jar that has no other', () => {
  const args = 'compact --path s3://b/wh/d.db/t';
  expect(answer(program({ jar: '/up/load/paimon-flink-action-0.9.0.jar', args }))?.copies).toHaveLength(1);
  expect(answer(program({ jar: 'paimon-flink-action-0.9.0.jar', mainClass: 'com.acme.Main', args }))).toBeUndefined();
  expect(answer(program({ jar: 'my-job.jar', args }))).toBeUndefined();
  expect(answer(program({ jar: 'hudi-flink1.18-bundle-0.15.0.jar', args: '--path s3://b/t' }))).toBeUndefined();
});

it('gives tables no name of a catalog that nobody else knows', () => {
  const found = answer(program({ mainClass: 'org.apache.paimon.flink.action.FlinkActions', args: 'compact --path s3://b/wh/d.db/t' }));
  expect(JSON.stringify(found?.named)).not.toContain('paimon.d');
  expect(found?.named.pipelines[0]?.sink.traits?.catalog).toBeUndefined();
});

describe('secrets', () => {
  it('are found in arguments and in files', () => {
    const args =
      "run --password p-w-1 --kafka_conf properties.sasl.jaas.config=jaas2 --mysql-conf password='p w 3' --secret-key=k4 --verbose --token";
    const config =
      'source: {type: mysql, password: y5, tables: a.b}\nsink: {type: doris, nested: {password: y6}, sink.enable-token: true}\n';
    expect(programSecrets(program({ args, config })).sort()).toEqual(["'p", 'jaas2', 'k4', 'p-w-1', 'y5', 'y6'].sort());
  });
});

it('takes any text, and shows none of a secret', () => {
  const words = fc.constantFrom(
    '--warehouse',
    '--database',
    '--table',
    '--mysql_conf',
    'a|b',
    "'",
    '"x',
    '=',
    's3://b',
    'compact',
    'clone',
    '\\',
    '[',
    '(',
    '*',
    '--including_tables',
  );
  const args = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.array(words).map((list) => list.join(' ')),
  );
  const classes = [
    'org.apache.paimon.flink.action.FlinkActions',
    'org.apache.doris.flink.tools.cdc.CdcTools',
    'org.apache.flink.cdc.cli.CliExecutor',
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...classes),
      fc.constantFrom('', 'mysql_sync_database ', 'mysql-sync-database ', 'compact_database '),
      args,
      fc.string(),
      (mainClass, action, rest, config) => {
        expect(answer(program({ mainClass, args: action + rest, config }))).toBeDefined();
      },
    ),
  );
});

it('answers a megabyte at once', () => {
  const mainClass = 'org.apache.paimon.flink.action.FlinkActions';
  const line = (tables: number) =>
    `mysql_sync_database --warehouse s3://b/wh --database d --mysql_conf hostname=h --mysql_conf database-name=s --including_tables ${Array.from({ length: tables }, (_, i) => `t${i}`).join('|')}`;
  expect(answer(program({ mainClass, args: line(2_000) }))?.copies).toHaveLength(2_000);
  expect(answer(program({ mainClass, args: line(100_000) }))?.findings).toEqual(['PATTERN_UNRESOLVED']);
  for (const evil of ['('.repeat(100_000), 'a|'.repeat(100_000), `${'.*'.repeat(50_000)}x`, "'".repeat(100_000), '\\'.repeat(100_000)]) {
    expect(answer(program({ mainClass, args: `${line(100)} --excluding_tables ${evil}` }))).toBeDefined();
  }
});
