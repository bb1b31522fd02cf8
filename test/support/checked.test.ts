// The check of what tests send notices what it is there for.
import { expect, it } from 'vitest';
import { corpusEvents } from '../validation/corpus.ts';
import { checkedEvents, findingsSoFar } from './checked.ts';

const valid = corpusEvents()[0] as { job: object };
const run = { ...valid, eventTime: '2026-01-01T00:00:00.000Z', inputs: [], outputs: [] };

it('lets valid events pass, in their order', async () => {
  const check = checkedEvents();
  for (const eventType of ['START', 'RUNNING', 'COMPLETE', 'COMPLETE']) check(JSON.stringify({ ...run, eventType }));
  expect(await findingsSoFar()).toEqual([]);
});

it.each([
  ['schema', { ...run, eventType: 'STARTED' }],
  ['cycle-start', { ...run, eventType: 'COMPLETE' }],
  ['cycle-early', { ...run, eventType: 'RUNNING' }],
  ['name-blank', { ...run, eventType: 'START', inputs: [{ namespace: ' ', name: 'x' }] }],
  ['name-secret', { ...run, eventType: 'START', inputs: [{ namespace: 'kafka://u:p@h:1', name: 'x' }] }],
])('finds what breaks %s, and not where a test says that it does', async (rule, event) => {
  checkedEvents()(JSON.stringify(event));
  expect((await findingsSoFar()).map((line) => line.split(' ')[0])).toContain(rule);
  checkedEvents({ [rule]: 'on purpose' })(JSON.stringify(event));
  expect((await findingsSoFar()).filter((line) => line.startsWith(`${rule} `))).toEqual([]);
});

it('finds an event after the end, another job, time that goes back, and datasets that are named no more', async () => {
  const check = checkedEvents();
  const named = { ...run, inputs: [{ namespace: 'kafka://h:1', name: 'x' }] };
  const job = { ...run.job, name: 'other' };
  const later = (event: object, seconds: number) => check(JSON.stringify({ ...event, eventTime: `2026-01-01T00:00:0${seconds}.000Z` }));
  later({ ...named, eventType: 'START' }, 3);
  later({ ...run, eventType: 'RUNNING' }, 2);
  later({ ...named, job, eventType: 'COMPLETE' }, 4);
  later({ ...named, eventType: 'RUNNING' }, 5);
  const rules = (await findingsSoFar()).map((line) => line.split(' ')[0]);
  expect(rules).toEqual(expect.arrayContaining(['cycle-bare', 'cycle-time', 'cycle-job', 'cycle-ended']));
});
