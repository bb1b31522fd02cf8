// What counts as an event, and in which order events are delivered.
import { expect, test } from 'vitest';
import { acceptEvent } from '../../src/relay/relay.ts';

const run = (more: object = {}) => ({
  eventType: 'START',
  eventTime: '2026-01-01T00:00:00Z',
  run: { runId: '018BCFE5-687b-77f4-927b-f6eb75113c29' },
  job: { namespace: 'n', name: 'j' },
  ...more,
});
const accept = (value: unknown) => acceptEvent(JSON.stringify(value), value);

test('a run event keeps its bytes and is ordered by its run', () => {
  expect(accept(run())).toMatchObject({
    orderKey: 'run:018bcfe5-687b-77f4-927b-f6eb75113c29',
    event: { kind: 'run', type: 'START', terminal: false, at: Date.parse('2026-01-01T00:00:00Z'), json: JSON.stringify(run()) },
  });
  expect(accept(run({ eventType: 'FAIL' }))).toMatchObject({ event: { type: 'FAIL', terminal: true } });
});

test('RUNNING and untyped events never make one another superfluous', () => {
  expect(accept(run({ eventType: 'RUNNING' }))).toMatchObject({ event: { type: 'OTHER', terminal: false } });
  expect(accept(run({ eventType: undefined }))).toMatchObject({ event: { type: 'OTHER' } });
});

test('job and dataset events are ordered by what they describe', () => {
  const job = accept({ eventTime: '2026-01-01T00:00:00Z', job: { namespace: 'n', name: 'j' } });
  const dataset = accept({ eventTime: '2026-01-01T00:00:00Z', dataset: { namespace: 'n', name: 'j' } });
  expect(job).toMatchObject({ event: { kind: 'job', type: 'JOB', runId: null } });
  expect(dataset).toMatchObject({ event: { kind: 'job', runId: null } });
  const keys = [job, dataset].map((one) => ('orderKey' in one ? one.orderKey : ''));
  expect(keys[0]).toMatch(/^job:[0-9a-f]{40}$/);
  expect(keys[1]).toMatch(/^dataset:[0-9a-f]{40}$/);
});

test.each([
  ['text', 'hello'],
  ['null', null],
  ['a list', []],
  ['nothing in it', {}],
  ['no time', run({ eventTime: undefined })],
  ['a time that is none', run({ eventTime: 'soon' })],
  ['a run id that is none', run({ run: { runId: 'x' } })],
  ['no job', run({ job: undefined })],
  ['a job without name', run({ job: { namespace: 'n', name: '' } })],
  ['an unknown type', run({ eventType: 'PAUSE' })],
])('refuses %s', (_, value) => {
  expect(accept(value)).toHaveProperty('problem');
});
