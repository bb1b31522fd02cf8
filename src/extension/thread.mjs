// Runs in a thread of its own: loads a module of the user's and calls its functions. Whatever hangs here ends with the thread.
// Plain JavaScript, as a thread is started from a file and no loader of ours is there.
import { parentPort, workerData } from 'node:worker_threads';

/** What can be told of a value: functions are named, plain data is copied, to a small depth. */
function shapeOf(value, depth = 0) {
  if (typeof value === 'function') return { function: true };
  if (Array.isArray(value)) return depth > 3 ? [] : value.map((item) => shapeOf(item, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return depth > 3 ? {} : Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shapeOf(item, depth + 1)]));
  }
  return typeof value === 'symbol' ? undefined : value;
}

const instances = new Map();

async function instanceOf(module, { key, args }) {
  const made = instances.get(key) ?? Promise.resolve(module.transport(...args));
  instances.set(key, made);
  try {
    return await made;
  } catch (error) {
    instances.delete(key);
    throw error;
  }
}

async function run(module, { path, args, instance }) {
  const owner = instance === undefined ? path.slice(0, -1).reduce((value, key) => value[key], module) : await instanceOf(module, instance);
  const name = path.at(-1);
  if (instance !== undefined && name === 'close') instances.delete(instance.key);
  // An optional method that is not there answers nothing.
  if (instance !== undefined && typeof owner?.[name] !== 'function' && name !== 'send') return undefined;
  return owner[name](...args);
}

/** The class or code of an error; its message is the user's own and may quote anything. */
const nameOf = (error) => (error instanceof Error ? (typeof error.code === 'string' ? error.code : error.name) : typeof error);

async function answer(module, request) {
  const { id } = request;
  try {
    parentPort.postMessage({ id, value: await run(module, request) });
  } catch (error) {
    parentPort.postMessage({ id, threw: nameOf(error) });
  }
}

try {
  const module = await import(workerData.url);
  parentPort.on('message', (request) => (request.ping ? parentPort.postMessage({ id: request.id }) : void answer(module, request)));
  parentPort.postMessage({ shape: shapeOf({ ...module }) });
} catch (error) {
  parentPort.postMessage({ unloadable: nameOf(error) });
}
