// A process that takes the lease and delivers until it is killed: node --import tsx lanechild.ts <state url> <schema> <receiver>
import { setTimeout as delay } from 'node:timers/promises';
import { startLane } from '../../src/outbox/outbox.ts';
import { acquireLease, holdsLease, openState, renewLease } from '../../src/state/state.ts';
import { createTransport } from '../../src/transports/transports.ts';

const [url = '', schema = '', receiver = ''] = process.argv.slice(2);
const ttlMs = 600;
const state = await openState({ url, schema });
const transport = createTransport(
  { name: 'd', type: 'http', preset: 'openlineage', url: receiver, headers: {}, timeout: 5_000, concurrency: 4 },
  { version: 'test', output: process.stdout },
);
for (;;) {
  const answer = await state.transaction((tx) => acquireLease(tx, 'daemon', `child ${process.pid}`, ttlMs));
  if (answer.held) {
    startLane({
      destination: 'd',
      state,
      sender: () => transport,
      concurrency: 4,
      guard: (tx) => holdsLease(tx, 'daemon', answer.token),
      report: (note) => note.kind === 'leaseLost' && process.exit(3),
    });
    setInterval(() => void renewLease(state.database.db, 'daemon', answer.token, ttlMs), 100);
    break;
  }
  await delay(answer.freeInMs + 5);
}
