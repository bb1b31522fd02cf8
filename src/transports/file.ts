// Appends one line per event. A line is one write to a file opened for appending, and `sent` is answered after the data
// is on the disk (fdatasync, shared by the lines written meanwhile), unless `fsync` is none. At `rotateAt` bytes the file becomes
// PATH.1, what was PATH.1 becomes PATH.2, and so on; a line is never split between two files.
import { type FileHandle, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { SendResult } from '../outbox/outbox.ts';
import type { FileDestination, Transport } from './transport.ts';

/** Troubles that a person must cure: no such folder, no permission, not a file, read-only. */
const atFault: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'EACCES',
  'EPERM',
  'EISDIR',
  'EROFS',
  'ENAMETOOLONG',
  'ELOOP',
  'EEXIST',
]);

/** Folder by folder: Node's recursive mkdir never ends where folders can neither be made nor found, as below /proc. */
async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') return;
    if (code !== 'ENOENT' || dirname(path) === path) throw error;
    await makeFolder(dirname(path));
    await mkdir(path).catch((again: NodeJS.ErrnoException) => {
      if (again.code !== 'EEXIST') throw again;
    });
  }
}

export function fileTransport({ path, rotateAt, keep, fsync }: FileDestination): Transport {
  let handle: FileHandle | undefined;
  let size = 0;
  let last: Promise<unknown> = Promise.resolve();
  let waitingForDisk: Promise<void> | undefined;
  let cutLine = false;

  const opened = async (): Promise<FileHandle> => {
    if (handle !== undefined) return handle;
    await makeFolder(dirname(path));
    // Readable too, to see whether a crash or a full disk left half a line.
    const fresh = await open(path, 'a+');
    ({ size } = await fresh.stat());
    cutLine = await endsInside(fresh, size);
    handle = fresh;
    return fresh;
  };
  const write = async (line: string): Promise<void> => {
    let file = await opened();
    if (rotateAt !== undefined && size > 0 && size + Buffer.byteLength(line) > rotateAt) {
      await rotate();
      file = await opened();
    }
    const text = cutLine ? `\n${line}` : line;
    await file.appendFile(text);
    size += Buffer.byteLength(text);
    cutLine = false;
  };
  /** PATH.(keep) is dropped, the others move up by one. A crash between two steps leaves a gap in the numbers, no line is lost. */
  const rotate = async (): Promise<void> => {
    const full = handle;
    // Who waits for the disk meanwhile still finds it.
    if (fsync === 'event') await full?.datasync();
    handle = undefined;
    await full?.close();
    await rm(`${path}.${keep}`, { force: true });
    for (let n = keep - 1; n >= 0; n--) {
      await rename(n === 0 ? path : `${path}.${n}`, `${path}.${n + 1}`).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'ENOENT') throw error;
      });
    }
  };
  /** Everything written before the call is on the disk when it resolves. */
  const toDisk = (): Promise<void> => {
    waitingForDisk ??= (async () => {
      await last.catch(() => undefined);
      waitingForDisk = undefined;
      await handle?.datasync();
    })();
    return waitingForDisk;
  };
  const inTurn = <T>(work: () => Promise<T>): Promise<T> => {
    const done = last.then(work, work);
    last = done.catch(() => undefined);
    return done;
  };

  const send = async (event: string): Promise<SendResult> => {
    try {
      // A line feed in JSON is white space between tokens.
      await inTurn(() => write(`${event.replace(/[\r\n]+/g, ' ')}\n`));
      if (fsync === 'event') await toDisk();
      return { kind: 'sent' };
    } catch (error) {
      // Opening again shows whether half a line was left.
      const broken = handle;
      handle = undefined;
      await broken?.close().catch(() => undefined);
      return failed(error);
    }
  };

  return {
    kind: 'file',
    send,
    probe: async () => {
      try {
        await inTurn(opened);
        return { ok: true, detail: `${path} can be written` };
      } catch (error) {
        return { ok: false, detail: `${path} ${reasonOf(error)}` };
      }
    },
    close: async () => {
      await last;
      await handle?.close();
      handle = undefined;
    },
  };
}

async function endsInside(file: FileHandle, size: number): Promise<boolean> {
  if (size === 0) return false;
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return buffer[0] !== 0x0a;
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? 'error';
const reasonOf = (error: unknown): string => `cannot be written (${codeOf(error)})`;

function failed(error: unknown): SendResult {
  const reason = `the file ${reasonOf(error)}`;
  return atFault.has(codeOf(error)) ? { kind: 'paused', reason } : { kind: 'later', reason, serverError: false };
}
