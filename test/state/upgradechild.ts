// A program that opens the own tables, for tests that kill it while it upgrades them. Arguments: URL, schema, folder of the files.
import { openState } from '../../src/state/state.ts';

const [url = '', schema = '', sqlFolder = ''] = process.argv.slice(2);
process.stdout.write('up\n');
const state = await openState({ url, schema, sqlFolder });
process.stdout.write('done\n');
await state.close();
