// Every event of one realistic run, byte for byte. After an intended change: UPDATE_GOLDEN=1 npx vitest run <this file>, then read the diff.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freezeRun, type Moment, runEvents } from '../../src/openlineage/openlineage.ts';
import { checkedEvents } from '../support/checked.ts';
import { eventOptions, ordersRun, startedAt } from './orders.ts';

const moments: readonly (readonly [file: string, moment: Moment])[] = [
  ['start', { type: 'START', at: startedAt }],
  ['running', { type: 'RUNNING', at: startedAt + 21_600_000 }],
  ['complete', { type: 'COMPLETE', at: startedAt + 30_000_000, reason: 'FINISHED' }],
  ['fail', { type: 'FAIL', at: startedAt + 30_000_000, reason: 'FAILED', message: 'Could not connect with password s3cr3t' }],
  ['abort', { type: 'ABORT', at: startedAt + 30_000_000, reason: 'RESTARTED', reconstructed: true }],
];

test.each(moments)('%s', (name, moment) => {
  const run = freezeRun({ ...ordersRun, sourceUrl: 'https://console:10000/#/flink/app/detail?appId=100042' });
  const previousAt = moment.type === 'START' ? null : startedAt;
  const made = runEvents(run, moment, { ...eventOptions, now: startedAt + 86_400_000, previousAt }).map((event) => event.json);
  const file = join(import.meta.dirname, 'golden', `${name}.json`);
  if (process.env['UPDATE_GOLDEN'] === '1')
    writeFileSync(
      file,
      `${JSON.stringify(
        made.map((json) => JSON.parse(json)),
        null,
        2,
      )}\n`,
    );
  const golden = JSON.parse(readFileSync(file, 'utf8')) as unknown[];
  expect(made).toEqual(golden.map((event) => JSON.stringify(event)));
  const check = checkedEvents();
  const started = runEvents(run, { type: 'START', at: startedAt }, { ...eventOptions, now: startedAt + 86_400_000 });
  for (const json of name === 'start' ? made : [...started.map((event) => event.json), ...made]) check(json);
});
