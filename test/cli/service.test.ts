// A command whose port is taken ends, with everything that it had begun.

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { type Service, serve, surroundings } from '../../src/cli/service.ts';
import { createLog } from '../../src/ops/ops.ts';
import { readSettings } from '../../src/settings/settings.ts';

it('a service whose port for metrics is taken is stopped and never runs', async () => {
  const holder = createServer();
  await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
  const { port } = holder.address() as AddressInfo;
  const calls: string[] = [];
  const service: Service = {
    name: 'relay',
    readiness: () => ({ ready: true, role: 'leader', reasons: [] }),
    run: async () => void calls.push('run'),
    stop: async () => void calls.push('stop'),
  };
  const around = surroundings(createLog('silent', new PassThrough()));
  const settings = readSettings(`source: {url: "mysql://u@h/d"}\nhttp: {port: ${port}}`, {});
  await expect(serve(service, settings, around, 'relay started')).rejects.toThrow('EADDRINUSE');
  expect(calls).toEqual(['stop']);
  holder.close();
});
