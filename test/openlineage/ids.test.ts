import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { childRunId, identityText, nameUuid, parentRunId } from '../../src/openlineage/openlineage.ts';

const jobId = '0123456789abcdef0123456789abcdef';

describe('nameUuid', () => {
  test.each([
    // java.util.UUID.nameUUIDFromBytes over UTF-8
    ['abc', '90015098-3cd2-3fb0-9696-3f7d28e17f72'],
    ['', 'd41d8cd9-8f00-3204-a980-0998ecf8427e'],
    [`flink-job:${jobId}:doris://fe:8030/db.t`, 'c26a9e54-7348-3a59-b5ad-7ba0d95ceec2'],
  ])('%j as Java', (name, uuid) => {
    expect(nameUuid(name)).toBe(uuid);
  });

  test('is always a version 3 UUID of the RFC variant', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (name) =>
        /^[\da-f]{8}-[\da-f]{4}-3[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(nameUuid(name)),
      ),
    );
  });
});

describe('identityText', () => {
  test('names the run by kind', () => {
    expect(identityText({ kind: 'flink-job', jobId })).toBe(`flink-job:${jobId}`);
    expect(identityText({ kind: 'flink-app', yarnId: 'application_1_2' })).toBe('flink-app:application_1_2');
    expect(identityText({ kind: 'spark-app', yarnId: 'application_1_2' })).toBe('spark-app:application_1_2');
    expect(identityText({ kind: 'mapped', jobId, appId: '100001' })).toBe(`flink-job:${jobId}:app:100001`);
  });

  test.each([
    '2026-03-14 09:26:53',
    '2026-03-14T09:26:53',
    '2026-03-14 09:26:53.589793',
    '2026-03-14T09:26:53Z',
    ' 2026-03-14 09:26:53+08',
  ])('a failed submission has one text however the time is printed: %s', (createTime) => {
    expect(identityText({ kind: 'flink-log', createTime, logId: '7' })).toBe('flink-log:2026-03-14 09:26:53:7');
  });

  test('appends the collision, then the continuation', () => {
    const identity = { kind: 'flink-job', jobId } as const;
    expect(identityText(identity, { collision: '4711' })).toBe(`flink-job:${jobId}:4711`);
    expect(identityText(identity, { continuation: 1 })).toBe(`flink-job:${jobId}:revived:1`);
    expect(identityText(identity, { collision: '2026-03-14 09:26:40', continuation: 2 })).toBe(
      `flink-job:${jobId}:2026-03-14 09:26:40:revived:2`,
    );
    expect(identityText(identity, { collision: null, continuation: 0 })).toBe(`flink-job:${jobId}`);
  });
});

test('run ids follow the formula of the proposal', () => {
  const identity = identityText({ kind: 'flink-job', jobId });
  expect(childRunId(identity, { namespace: 'doris://fe:8030', name: 'db.t' })).toBe('c26a9e54-7348-3a59-b5ad-7ba0d95ceec2');
  expect(parentRunId(identity)).toBe(nameUuid(`flink-job:${jobId}`));
});
