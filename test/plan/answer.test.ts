import { describe, expect, it } from 'vitest';
import { readAnswer } from '../../src/plan/answer.ts';
import { prepareText } from '../../src/plan/plan.ts';

const limits = { maxScriptBytes: 1024 * 1024 };
const variables = [
  { code: 'many', value: '1\n2', secret: false },
  { code: 'pw1', value: 'p4ss', secret: true },
];
const prepared = prepareText({ sql: "INSERT INTO a SELECT ${many}, x,\n '${pw1}'", variables, engineVersion: null }, limits);
const asked = { prepared, compile: true };
const empty = { id: 1, ok: true, ms: 3, statements: [], catalogs: {}, inserts: [] };
const error = {
  class: 'ValidationException',
  message: "\nColumn 'x' not found near p4ss\nlong tail",
  line: 2,
  column: 4,
  endLine: 2,
  endColumn: 5,
};
const insert = { statement: 0, line: 1, column: 1, target: ['c', 'd', 't'], overwrite: false, plan: { nodes: [] }, tree: null, tables: [] };

describe('readAnswer', () => {
  it('places errors in the stored text and masks them', () => {
    const statements = [{ line: 1, column: 1, op: null, status: 'error', error }];
    expect(readAnswer({ ...empty, statements }, asked, '2.3.0').diagnostics).toEqual([
      { code: 'PLAN_PARSE', severity: 'error', message: "Column 'x' not found near ******", line: 1, column: 31 },
    ]);
  });

  it('points at the statement when the error has no place, and names the class when it has no message', () => {
    const statements = [{ line: 3, column: 2, status: 'error', error: { class: 'StackOverflowError', message: null } }];
    expect(readAnswer({ ...empty, statements }, asked, '2.3.0').diagnostics).toMatchObject([
      { message: 'StackOverflowError', line: 2, column: 2 },
    ]);
  });

  it('cuts long messages after masking them', () => {
    const message = `${'x'.repeat(498)}p4ss${'y'.repeat(1000)}`;
    const statements = [{ line: 1, column: 1, status: 'error', error: { class: 'X', message } }];
    const [first] = readAnswer({ ...empty, statements }, asked, '2.3.0').diagnostics;
    expect(first?.message).toBe(`${'x'.repeat(498)}**…`);
  });

  it('warns where the tree is used, and errs where there is nothing', () => {
    const planError = { class: 'TableException', message: 'no' };
    const inserts = [
      { ...insert, plan: null, planError, tree: { inputs: [{ path: ['c', 'd', 's'], role: 'lookup' }] } },
      { ...insert, plan: null, planError },
    ];
    expect(readAnswer({ ...empty, inserts }, asked, '2.3.0').diagnostics.map((d) => [d.code, d.severity])).toEqual([
      ['PLAN_COMPILE', 'warning'],
      ['PLAN_COMPILE', 'error'],
    ]);
  });

  it('says that a tree was used when no plan was asked for', () => {
    const inserts = [{ ...insert, plan: null, tree: { inputs: [] } }];
    expect(readAnswer({ ...empty, inserts }, { prepared, compile: false }, '2.3.0').diagnostics).toMatchObject([
      { code: 'PLAN_COMPILE', severity: 'warning', line: 1, column: 1 },
    ]);
  });

  it('keeps facts and drops what is not one', () => {
    const table = {
      path: ['c', 'd', 't'],
      role: 'sink',
      temporary: true,
      options: { connector: 'x' },
      columns: [
        { name: 'a', type: 'INT', kind: 'physical', comment: null },
        { name: 'b', type: 'INT', kind: 'computed', comment: 'c' },
      ],
      primaryKey: ['a'],
      partitionKeys: [],
      more: 1,
    };
    const catalogs = { lake: { type: 'paimon', options: { type: 'paimon' } }, odd: { options: {} } };
    const planned = readAnswer({ ...empty, catalogs, inserts: [{ ...insert, tables: [table] }] }, asked, '2.3.0');
    const { more, ...kept } = table;
    expect(planned.inserts).toEqual([
      {
        line: 1,
        column: 1,
        target: ['c', 'd', 't'],
        plan: { nodes: [] },
        tree: null,
        text: null,
        tables: [{ ...kept, columns: [{ name: 'a', type: 'INT', kind: 'physical' }, table.columns[1]] }],
        columns: null,
      },
    ]);
    expect(planned.catalogs).toEqual({ lake: catalogs.lake, odd: { type: null, options: {} } });
    expect(planned).toMatchObject({ flinkVersion: '2.3.0', builtIn: { catalog: 'default_catalog', database: 'default_database' } });
  });

  it('reads columns, and says why there are none', () => {
    const identity = { table: 1, field: 'a.b', type: 'DIRECT', subtype: 'IDENTITY' };
    const filter = { table: 2, field: 'c', type: 'INDIRECT', subtype: 'FILTER' };
    const inserts = [
      { ...insert, columns: { x: [identity, filter], y: [] }, indirect: [filter] },
      { ...insert, columnsError: { class: 'UnreadableTree', message: 'not followed through p4ss' } },
    ];
    const planned = readAnswer({ ...empty, inserts }, asked, '2.3.0');
    expect(planned.inserts.map(({ columns }) => columns)).toEqual([
      {
        columns: {
          x: [
            { source: 1, field: 'a.b', type: 'DIRECT', subtype: 'IDENTITY' },
            { source: 2, field: 'c', type: 'INDIRECT', subtype: 'FILTER' },
          ],
          y: [],
        },
        influences: [{ source: 2, field: 'c', type: 'INDIRECT', subtype: 'FILTER' }],
      },
      null,
    ]);
    expect(planned.diagnostics).toEqual([
      { code: 'COLUMNS_UNKNOWN', severity: 'warning', message: expect.not.stringContaining('p4ss'), line: 1, column: 1 },
    ]);
  });

  it('says when a script has no INSERT, unless an error says more', () => {
    expect(readAnswer(empty, asked, '2.3.0').diagnostics.map((d) => d.code)).toEqual(['PLAN_NO_INSERT']);
  });

  it('names ignored statements other than SET', () => {
    const statements = ['SET', 'SetOperation', 'AddJarOperation'].map((op) => ({ line: 1, column: 1, op, status: 'ignored' }));
    const found = readAnswer({ ...empty, statements, inserts: [insert] }, asked, '2.3.0').diagnostics;
    expect(found.map((d) => [d.code, d.message])).toEqual([['PLAN_STATEMENT_IGNORED', 'AddJarOperation was not executed']]);
  });

  it.each([null, 7, {}, { ok: true }, { ...empty, inserts: [{}] }, { ok: false, error: { class: 'X', message: 'x p4ss' } }])(
    'refuses %j',
    (message) => {
      expect(() => readAnswer(message, asked, '2.3.0')).toThrow(expect.objectContaining({ code: 'PLAN_INTERNAL' }));
      expect(() => readAnswer(message, asked, '2.3.0')).not.toThrow(/p4ss/);
    },
  );

  it('says of a failed statement whether its text was read, and of a prelude what failed', () => {
    const around = { ...prepared, prelude: [{ text: 'x', origin: 'lake.sql, line 7' }] };
    const error = { class: 'ValidationException', message: 'Table m is not defined in the script' };
    const failed = { line: 1, column: 1, op: 'INSERT', status: 'error', error };
    const statements = [
      { ...failed, text: true },
      { ...failed, line: 2, text: false },
    ];
    const inputs = [{ path: ['c', 'd', 'm'], role: 'lookup' }];
    const inserts = [{ line: 1, column: 1, target: ['c', 'd', 't'], plan: null, tree: null, text: { inputs }, tables: [] }];
    const planned = readAnswer(
      { ok: true, statements, prelude: [failed], catalogs: {}, inserts },
      { prepared: around, compile: true },
      '2.3.0',
    );
    expect(planned.inserts[0]?.text).toEqual({ inputs });
    expect(planned.diagnostics.map(({ code, severity, message, line }) => [code, severity, message, line])).toEqual([
      ['PRELUDE_INVALID', 'warning', 'lake.sql, line 7: Table m is not defined in the script', undefined],
      ['PLAN_PARSE', 'warning', 'Table m is not defined in the script; its tables were taken from the text alone', 1],
      ['PLAN_PARSE', 'error', 'Table m is not defined in the script', 1],
    ]);
  });
});
