// TLS to a real server with an authority of its own: who is trusted, who is refused, and with which code; then a password that
// is replaced while connections are open.
import { writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { type Connection, connectionOptions, readSettings } from '../../src/settings/settings.ts';
import { openState, removeState } from '../../src/state/state.ts';
import { openSource, type Source } from '../../src/watch/watch.ts';
import { type Authority, makeAuthority } from '../support/authority.ts';
import type { TestFamily } from '../support/databases.ts';
import { serverProgram, startTlsServer, type TlsServer } from '../support/tlsserver.ts';
import { until } from '../support/until.ts';

const password = 'pass-w0rd/of:app';

/** Declares the tests for one family. */
export function tlsSuite(family: TestFamily): void {
  const program = serverProgram(family);
  if (program === undefined) process.stderr.write(`not tested: TLS to ${family} (no server program)\n`);
  describe.skipIf(program === undefined)(`TLS to ${family}`, () => {
    const authority = makeAuthority('lab') as Authority;
    const foreign = makeAuthority('foreign') as Authority;
    let server: TlsServer;
    // MariaDB refuses a login without TLS, or without a certificate, as it refuses a wrong password.
    const refused = family === 'mysql' ? 'SOURCE_PRIVILEGE' : 'SOURCE_TLS';
    const client = authority.issue('certified');
    const stranger = foreign.issue('certified');
    const urlOf = (user: string, secret = password) =>
      `${family}://${user}:${encodeURIComponent(secret)}@localhost:${server.port}/${family === 'mysql' ? 'lab' : 'postgres'}`;

    beforeAll(async () => {
      server = await startTlsServer(family, program as string, authority.issue('server', 'DNS:localhost'), authority.ca);
      server.run(
        family === 'mysql'
          ? `create database lab; create user app@'%' identified by '${password}'; grant all on *.* to app@'%';
             create user certified@'%' identified by '${password}' require x509; grant all on lab.* to certified@'%'; set global require_secure_transport = on;`
          : `create role app superuser login password '${password}'; create role certified login password '${password}';`,
      );
    });
    afterAll(async () => {
      await server?.stop();
      authority.remove();
      foreign.remove();
    });

    /** What a source says that is opened with these settings: `ok`, or its code. */
    const outcome = async (connection: Connection): Promise<string> => {
      const source = openSource({ source: { schema: 'public', ...connection }, optIn: 'column' });
      return ending(source.clock(), source);
    };
    const ending = async (work: Promise<unknown>, source: Source): Promise<string> => {
      try {
        await work;
        return 'ok';
      } catch (error) {
        expect((error as Error).message).not.toContain('pass-w0rd');
        return (error as { code: string }).code;
      } finally {
        await source.close();
      }
    };

    it('is encrypted, and checks the authority and the host name', async () => {
      const url = urlOf('app');
      const database = openDatabase<unknown>(url, {
        statementTimeoutMs: 5_000,
        connectTimeoutMs: 5_000,
        poolSize: 1,
        onIdleError: () => undefined,
        ...connectionOptions({ url, tls: { ca: authority.ca } }),
      });
      const query =
        family === 'mysql'
          ? sql`show status like 'Ssl_cipher'`
          : sql`select cipher as "Value" from pg_stat_ssl where pid = pg_backend_pid()`;
      const { rows } = await query.execute(database.db);
      expect((rows[0] as { Value: string }).Value).toMatch(/^TLS_/);
      await database.close();
      expect(await outcome({ url, tls: { ca: foreign.ca } })).toBe('SOURCE_TLS');
      expect(await outcome({ url, tls: { mode: 'verify-full' } })).toBe('SOURCE_TLS');
      expect(await outcome({ url, tls: { mode: 'verify-ca', ca: foreign.ca } })).toBe('SOURCE_TLS');
      expect(await outcome({ url, tls: { mode: 'require' } })).toBe('ok');
      expect(await outcome({ url })).toBe(refused);
    });

    it('refuses a server under another name, unless only the authority is asked for', async () => {
      const url = urlOf('app');
      server.present(authority.issue('other', 'DNS:db.example.org'));
      const shown = async (mode: 'verify-full' | 'verify-ca') => outcome({ url, tls: { mode, ca: authority.ca } });
      await until('the other certificate', async () => (await shown('verify-full')) === 'SOURCE_TLS');
      expect(await shown('verify-ca')).toBe('ok');
      server.present(authority.issue('server', 'DNS:localhost'));
      await until('the first name', async () => (await shown('verify-full')) === 'ok');
    });

    it('shows a client certificate', async () => {
      const url = urlOf('certified');
      expect(await outcome({ url, tls: { ca: authority.ca, ...client } })).toBe('ok');
      expect(await outcome({ url, tls: { ca: authority.ca } })).toBe(refused);
      expect(await outcome({ url, tls: { ca: authority.ca, ...stranger } })).not.toBe('ok');
    });

    it('holds for the own tables', async () => {
      const url = urlOf('app');
      const stateWith = (ca: string) => openState({ url, schema: 'tls_state', connection: connectionOptions({ url, tls: { ca } }) });
      await expect(stateWith(foreign.ca)).rejects.toMatchObject({ code: 'STATE_TLS' });
      const state = await stateWith(authority.ca);
      await removeState(state);
      await state.close();
    });

    it('says when the server has no TLS', async () => {
      // Both protocols begin with words of the server's: a greeting without the flag, or N to the request.
      const greeting = Buffer.from(`\n5.7.0\0\x01\0\0\0abcdefgh\0\xff\xf7\x21\x02\0\0\0\x15${'\0'.repeat(10)}abcdefghijkl\0`, 'latin1');
      const framed = Buffer.concat([Buffer.from([greeting.length, 0, 0, 0]), greeting]);
      const plain = createServer((socket) => {
        socket.on('error', () => undefined);
        if (family === 'mysql') socket.write(framed);
        else socket.once('data', () => socket.write('N'));
      });
      await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
      const { port } = plain.address() as AddressInfo;
      const url = urlOf('app').replace(/:\d+\//, `:${port}/`);
      expect(await outcome({ url, tls: { mode: 'require' } })).toBe('SOURCE_TLS');
      plain.close();
    });

    it('logs in with the password that the file holds now', async () => {
      const file = join(authority.folder, 'url');
      const change = (to: string) =>
        server.run(family === 'mysql' ? `set password for app@'%' = password('${to}');` : `alter role app password '${to}';`);
      const hangUp = () =>
        server.run(
          family === 'mysql'
            ? 'kill user app;'
            : "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'app' and pid <> pg_backend_pid();",
        );
      writeFileSync(file, `${urlOf('app')}\n`);
      const { source: settings } = readSettings(`source: { tls: { ca: ${authority.ca} } }`, { STREAMPARK_LINEAGE_SOURCE_URL_FILE: file });
      const source = openSource({ source: settings, optIn: 'column' });
      const ask = () =>
        source.clock().then(
          () => 'ok',
          (error: { code: string }) => error.code,
        );
      expect(await ask()).toBe('ok');
      change('next/password');
      hangUp();
      await until('the old password is refused', async () => (await ask()) === 'SOURCE_PRIVILEGE');
      writeFileSync(file, urlOf('app', 'next/password'));
      expect(await ask()).toBe('ok');
      change(password);
      await source.close();
    });
  });
}
