// A worker in Node that speaks the planner's protocol: a real process with real pipes, but instead of planning it does what the
// first statement of a request says: ANSWER, HANG, DIE, HANG_COMPILING, DIE_COMPILING, HANG_VALIDATING,
// DIE_VALIDATING, SLOW <ms>, FAIL, GARBAGE, FLOOD, RSS <bytes>. The second argument is its Flink version. Used where a JVM would only cost time.
import { createInterface } from 'node:readline';

const [greeting = 'hello', flink = '2.3.0'] = process.argv.slice(2);
const write = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const answer = (id, extra = {}) => write({ id, ok: true, ms: 1, statements: [], catalogs: {}, inserts: [], ...extra });

if (greeting === 'silent') setInterval(() => {}, 1000);
else if (greeting === 'protocol2') write({ ready: true, protocol: 2, flink: '9', java: '99', build: 'x' });
else if (greeting === 'exit') {
  process.stderr.write('UnsupportedClassVersionError: too old\n');
  process.exit(1);
} else write({ ready: true, protocol: 1, flink, java: process.version, build: `pid-${process.pid}` });

createInterface({ input: process.stdin })
  .on('line', (line) => {
    const { id, cmd, statements = [], compile, validate = true } = JSON.parse(line);
    if (cmd === 'quit') process.exit(0);
    const [verb, argument] = String(statements[0]?.text).split(' ');
    // every answer names the process and the request, so that tests can see who answered what
    const named = { catalogs: { [`pid${process.pid}`]: { type: null, options: { id: String(id) } } } };
    if (verb === 'HANG' || (verb === 'HANG_COMPILING' && compile) || (verb === 'HANG_VALIDATING' && validate)) return undefined;
    if (verb === 'DIE' || (verb === 'DIE_COMPILING' && compile) || (verb === 'DIE_VALIDATING' && validate))
      process.kill(process.pid, 'SIGKILL');
    if (verb === 'SLOW') return setTimeout(() => answer(id, named), Number(argument));
    if (verb === 'RSS') return answer(id, { ...named, rss: Number(argument) });
    if (verb === 'FAIL')
      return write({ id, ok: false, error: { class: 'NullPointerException', message: "\n  'password' = 'p4ss' is null\n at x" } });
    if (verb === 'GARBAGE') return process.stdout.write(`[warning] not json\n{"id":${id},"ok":true,"statements":7}\n`);
    if (verb === 'FLOOD') {
      const chunk = Buffer.alloc(1024 * 1024, 0x20);
      for (let i = 0; i < 66; i += 1) process.stdout.write(chunk);
      return undefined;
    }
    return answer(id, named);
  })
  .on('close', () => process.exit(0));
