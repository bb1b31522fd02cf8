// A TCP proxy for tests: a network path that can be cut, or go silent with its connections open, and be whole again.

import type { AddressInfo } from 'node:net';
import { createServer, connect as dial, type Server, type Socket } from 'node:net';

/** What becomes of a piece of bytes, and of its connection. `passThenCut`: the other side gets it, and its answer is lost. */
export type Passing = 'pass' | 'cut' | 'passThenCut';

export interface TcpProxy {
  /** Asked for each piece that passes, in both directions (`up`: to the server). */
  inspect(judge: ((bytes: Buffer, up: boolean) => Passing) | undefined): void;
  /** The address with host and port replaced by the proxy's. */
  through(url: string): string;
  /** Resets every connection and refuses new ones. */
  cut(): Promise<void>;
  /** Half-open: connections stay, new ones are accepted, and nothing passes in either direction. */
  silence(): void;
  /** Whole again, on the same port. Connections that were silenced are reset. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a proxy in front of the server that `url` names. */
export async function startTcpProxy(url: string): Promise<TcpProxy> {
  const target = new URL(url);
  const pairs = new Set<{ readonly near: Socket; readonly far: Socket }>();
  let silent = false;
  let judge: ((bytes: Buffer, up: boolean) => Passing) | undefined;
  let port = 0;

  const accept = (near: Socket) => {
    const far = dial(Number(target.port), target.hostname);
    const pair = { near, far };
    let deaf = false;
    pairs.add(pair);
    const end = () => {
      pairs.delete(pair);
      near.destroy();
      far.destroy();
    };
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on('data', (bytes: Buffer) => {
        if (silent || deaf) return;
        const passing = judge?.(bytes, from === near) ?? 'pass';
        if (passing !== 'cut') to.write(bytes);
        if (passing === 'pass') return;
        deaf = true;
        // Time for what was passed to be worked on.
        setTimeout(() => near.resetAndDestroy(), passing === 'cut' ? 0 : 100);
      });
      from.on('error', end);
      from.on('close', () => silent || end());
    }
  };
  const reset = () => {
    for (const { near, far } of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
    pairs.clear();
  };

  let server: Server | undefined;
  const open = async () => {
    const opened = createServer(accept);
    await new Promise<void>((resolve, reject) => {
      opened.once('error', reject);
      opened.listen(port, '127.0.0.1', resolve);
    });
    port = (opened.address() as AddressInfo).port;
    server = opened;
  };
  const shut = async () => {
    const closing = server;
    server = undefined;
    reset();
    if (closing !== undefined) await new Promise((resolve) => closing.close(resolve));
  };
  await open();

  return {
    through: (address) => {
      const changed = new URL(address);
      changed.hostname = '127.0.0.1';
      changed.port = String(port);
      return changed.href;
    },
    inspect(next) {
      judge = next;
    },
    cut: shut,
    silence() {
      silent = true;
    },
    async heal() {
      silent = false;
      reset();
      if (server === undefined) await open();
    },
    close: shut,
  };
}
