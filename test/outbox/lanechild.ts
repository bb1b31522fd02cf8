// A process that takes the lease and delivers until it is killed: node --import tsx lanechild.ts <state url> <schema> <receiver>
import { setTimeout as delay } from 'node:timers/promises';
import { startLane } from '../../src/outbox/outbox.ts';
import { acquireLease, holdsLease, openState, renewLease } from '../../src/state/state.ts';
import { createTransport } from '../../src/transports/transports.ts';
import { destinationOf } from '../support/destination.ts';

const [url = '', schema = '', receiver = ''] = process.argv.slice(2);
const ttlMs = 1_000;
const state = await openState({ url, schema });
const transport = createTransport(destinationOf({ type: 'http', url: receiver, timeout: '5s', batch: 'off' }), {
  version: 'test',
  output: process.stdout,
});
for (;;) {
  const answer = await state.transaction((tx) => acquireLease(tx, 'daemon', `child ${process.pid}`, ttlMs));
  if (!answer.held) {
    await delay(answer.freeInMs + 5);
    continue;
  }
  // On a busy machine a renewal may come too late; then this process stands by again.
  await new Promise<void>((lost) => {
    const renewal = setInterval(() => void renewLease(state.database.db, 'daemon', answer.token, ttlMs), 150);
    startLane({
      destination: 'd',
      state,
      sender: () => transport,
      concurrency: 4,
      guard: (tx) => holdsLease(tx, 'daemon', answer.token),
      report: (note) => {
        if (note.kind !== 'leaseLost') return;
        clearInterval(renewal);
        lost();
      },
    });
  });
}
