import { describe, expect, it } from 'vitest';
import { type Readiness, startOpsServer } from '../../src/ops/ops.ts';

describe('startOpsServer', () => {
  it('answers the three routes, and readiness by its state', async () => {
    let readiness: Readiness = { ready: false, role: 'starting', reasons: [{ code: 'SOURCE_UNREACHABLE', message: 'no answer' }] };
    const server = await startOpsServer('127.0.0.1', 0, { metrics: async () => 'up 1\n', readiness: () => readiness });
    const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${server.port}${path}`, { method });
    try {
      expect(await (await get('/metrics')).text()).toBe('up 1\n');
      expect((await get('/healthz')).status).toBe(200);
      const not = await get('/readyz');
      expect(not.status).toBe(503);
      expect(await not.json()).toEqual(readiness);
      readiness = { ready: true, role: 'leader', reasons: [] };
      expect((await get('/readyz')).status).toBe(200);
      expect((await get('/nothing')).status).toBe(404);
      expect((await get('/metrics', 'POST')).status).toBe(405);
    } finally {
      await server.close();
    }
  });

  it('says which address is taken', async () => {
    const first = await startOpsServer('127.0.0.1', 0, {
      metrics: async () => '',
      readiness: () => ({ ready: true, role: 'leader', reasons: [] }),
    });
    try {
      await expect(
        startOpsServer('127.0.0.1', first.port, {
          metrics: async () => '',
          readiness: () => ({ ready: true, role: 'leader', reasons: [] }),
        }),
      ).rejects.toMatchObject({
        code: 'PORT_IN_USE',
        message: `http.host/http.port: cannot listen on 127.0.0.1:${first.port} (EADDRINUSE)`,
      });
    } finally {
      await first.close();
    }
  });
});
