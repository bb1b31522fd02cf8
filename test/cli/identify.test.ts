// The JSON-lines contract of `identify`: one answer per line, in order, whatever stands there.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { identifyLines } from '../../src/cli/identify.ts';
import { createNames } from '../../src/names/names.ts';
import { readSettings } from '../../src/settings/settings.ts';

const names = createNames(readSettings(undefined, {}).identity, { now: Date.now, notify: () => undefined });

async function answers(...lines: string[]): Promise<{ answers: unknown[]; failed: number }> {
  async function* input() {
    yield* lines;
  }
  const out: string[] = [];
  const { failed } = await identifyLines(input(), (line) => void out.push(line), names);
  return { answers: out.map((line) => JSON.parse(line)), failed };
}

const kafka = { connector: 'kafka', 'properties.bootstrap.servers': 'b1:9092', topic: 'a;b' };

describe('identify', () => {
  it('answers with datasets, with the id where there is one', async () => {
    const lines = [
      JSON.stringify({ id: 'x', options: kafka }),
      JSON.stringify({
        id: 0,
        options: {},
        table: ['lake', 'db', 't'],
        catalog: { type: 'iceberg', options: { 'catalog-type': 'hive', uri: 'thrift://h:9083' } },
        location: 's3a://b/db/t',
      }),
      JSON.stringify({ options: { connector: 'filesystem', path: '/x' } }),
    ];
    expect((await answers(...lines)).answers).toEqual([
      {
        id: 'x',
        datasets: [
          { namespace: 'kafka://b1:9092', name: 'a', symlinks: [] },
          { namespace: 'kafka://b1:9092', name: 'b', symlinks: [] },
        ],
      },
      { id: 0, datasets: [{ namespace: 's3://b', name: 'db/t', symlinks: [{ namespace: 'hive://h:9083', name: 'db.t', type: 'TABLE' }] }] },
      { datasets: [{ namespace: 'file', name: '/x', symlinks: [] }] },
    ]);
  });

  it('answers with code and message where there is no dataset', async () => {
    expect((await answers('{"options":{"connector":"kafka","topic":"t"}}')).answers).toEqual([
      { unresolved: "OPTION_MISSING: option 'properties.bootstrap.servers' is missing" },
    ]);
  });

  it('answers lines it cannot read in their place and goes on; blank lines are none', async () => {
    const bad = [
      'nonsense',
      '[]',
      'null',
      '{"id":7}',
      '{"options":{"connector":1}}',
      '{"options":{},"table":["a","b"]}',
      '{"options":{},"catalog":"hive"}',
    ];
    const found = await answers('', ...bad, '  ', JSON.stringify({ id: 'last', options: kafka }));
    expect(found.failed).toBe(bad.length);
    expect(found.answers).toHaveLength(bad.length + 1);
    for (const answer of found.answers.slice(0, -1)) expect(answer).toHaveProperty('unresolved', expect.stringMatching(/^INVALID_INPUT: /));
    expect(found.answers[3]).toMatchObject({ id: 7 });
    expect(found.answers.at(-1)).toMatchObject({ id: 'last', datasets: [{ name: 'a' }, { name: 'b' }] });
  });

  it('never repeats a value of a line it cannot read', async () => {
    const found = await answers('{"options":{"password":["s3cret"]}}', '{"password":"s3cret"');
    expect(JSON.stringify(found.answers)).not.toContain('s3cret');
  });

  it('gives one line for any JSON value', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.jsonValue(), { maxLength: 5 }), fc.dictionary(fc.string(), fc.string()), async (values, options) => {
        const lines = [
          ...values.map((value) => JSON.stringify(value)),
          JSON.stringify({ options }),
          JSON.stringify({ options: { ...options, connector: 'jdbc', url: Object.values(options)[0] ?? '', 'table-name': 't' } }),
        ];
        expect((await answers(...lines)).answers).toHaveLength(lines.length);
      }),
    );
  });
});
