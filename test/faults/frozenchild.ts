// A process that takes the lease and begins to write under it, and writes only when it gets a line more: until then its transaction is open.
import { createInterface } from 'node:readline';
import { CodedError } from '../../src/errors/errors.ts';
import { acquireLease, holdsLease, openState, saveCursor } from '../../src/state/state.ts';

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const next = async (): Promise<string> => String((await lines.next()).value ?? '');
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const { url, schema } = JSON.parse(await next()) as { url: string; schema: string };
const state = await openState({ url, schema });
const answer = await state.transaction((tx) => acquireLease(tx, 'daemon', 'frozen', 2_000));
if (!answer.held) throw new Error('the lease is not free');
try {
  await state.transaction(async (tx) => {
    await holdsLease(tx, 'daemon', answer.token);
    say('locked');
    await next();
    await saveCursor(tx, 't_app_log', '7', 1);
  });
  say('committed');
} catch (error) {
  say(`refused ${error instanceof CodedError ? error.code : String(error)}`);
}
