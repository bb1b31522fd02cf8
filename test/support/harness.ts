// The lineage servers of the shared harness: stand-ins checked against the real ones, or the real ones where a distribution
// is given (see their READMEs). Each runs in a folder and on ports of its own.
import { spawnSync } from 'node:child_process';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { repositoryRoot } from './shared.ts';

export interface HarnessServer {
  readonly url: string;
  /** GET of a path, parsed. */
  get(path: string): Promise<unknown>;
  stop(): void;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Starts `gravitino` or `marquez`. The first start compiles it, which takes most of a minute. */
export async function startHarness(shared: string, name: 'gravitino' | 'marquez'): Promise<HarnessServer> {
  const [port, adminPort] = [await freePort(), await freePort()];
  const prefix = name.toUpperCase();
  const env = {
    ...process.env,
    [`${prefix}_HARNESS_DIR`]: join(repositoryRoot, 'build', `harness-${name}`),
    [`${prefix}_PORT`]: String(port),
    MARQUEZ_ADMIN_PORT: String(adminPort),
    MARQUEZ_DB: 'spl_marquez',
    GRAVITINO_SINKS: 'log',
  };
  const script = (file: string, ...args: string[]) =>
    spawnSync(join(shared, 'harness', name, file), args, { env, encoding: 'utf8', timeout: 180_000 });
  script('stop');
  const started = script('start');
  if (started.status !== 0) throw new Error(`${name} did not start: ${started.stderr}`);
  const url = `http://127.0.0.1:${port}`;
  return {
    url,
    get: async (path) => {
      const response = await fetch(url + path);
      if (!response.ok) throw new Error(`${path}: http ${response.status}`);
      return response.json();
    },
    stop: () => void script('stop'),
  };
}
