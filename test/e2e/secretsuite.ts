// Recognisable secrets planted wherever a StreamPark installation keeps some, and then everything that the program writes is
// searched for them: logs, events, state tables, metrics, the output of every command.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { ownTablesOf } from '../support/daemon.ts';
import { onServer, requireServer } from '../support/databases.ts';
import { startLineageReceiver } from '../support/lineage-receiver.ts';
import { processesOf } from '../support/processes.ts';
import { buildProgram, opsAddress, readiness, runProgram, startProgram } from '../support/program.ts';
import { encoded, jobId, openSmallConsole, realClock } from '../support/smallconsole.ts';
import type { Family } from '../support/streampark.ts';
import { until } from '../support/until.ts';
import { lives } from './scene.ts';

/** One value per place; all begin alike, so that one pattern finds any of them, also cut. */
const secret = {
  sourceUrl: 'Gehe1m-source-url',
  token: 'Gehe1m-bearer-token',
  address: 'Gehe1m-user-info-of-the-address',
  header: 'Gehe1m-header-of-a-destination',
  option: 'Gehe1m-option',
  jdbcUrl: 'Gehe1m-jdbc-query',
  jdbcUser: 'Gehe1m-jdbc-user-info',
  jaas: 'Gehe1m-jaas',
  host: 'Gehe1m-user-info-of-a-host',
  variable: 'Gehe1m-variable',
  unused: 'Gehe1m-variable-that-no-script-uses',
  set: 'Gehe1m-set',
  exception: 'Gehe1m-exception-url',
  conf: 'Gehe1m-environment',
  config: 'Gehe1m-effective-config',
  query: 'Gehe1m-query-of-a-destination',
  labUser: 'Gehe1m-user-info-of-a-destination',
  tokenFile: 'Gehe1m-token-in-a-file',
  catalogUrl: 'Gehe1m-url-of-a-catalog',
  catalogToken: 'Gehe1m-token-of-a-catalog',
  catalogHeader: 'Gehe1m-header-of-a-catalog',
  prelude: 'Gehe1m-prelude',
  row: 'Gehe1m-foreign-row-of-t_setting',
} as const;
const planted = /Gehe1m/;

const script = `-- reads with ${secret.variable}
SET 'sink.password' = '${secret.set}';
CREATE TABLE topic (id BIGINT COMMENT 'login ${secret.variable}', v STRING) WITH (
  'connector' = 'kafka', 'topic' = 'in', 'properties.bootstrap.servers' = 'user:${secret.host}@broker:9092', 'format' = 'json',
  'properties.sasl.jaas.config' = 'org.apache.kafka.common.security.plain.PlainLoginModule required username="u" password="${secret.jaas}";'
);
CREATE TABLE target (id BIGINT, v STRING, PRIMARY KEY (id) NOT ENFORCED) WITH (
  'connector' = 'jdbc', 'url' = 'jdbc:mysql://u:${secret.jdbcUser}@db:3306/shop?user=u&password=${secret.jdbcUrl}', 'table-name' = 't',
  'username' = 'u', 'password' = '\${crm.password}'
);
CREATE TABLE other (id BIGINT, v STRING) WITH (
  'connector' = 'doris', 'fenodes' = 'u:${secret.host}@fe:8030', 'table.identifier' = 'd.t', 'username' = 'u', 'password' = '${secret.option}'
);
CREATE TABLE strange (id BIGINT) WITH ('connector' = 'teleport', 'password' = '${secret.option}', 'url' = 'teleport://u:${secret.host}@x/');
INSERT INTO target SELECT id, v FROM topic;
INSERT INTO other SELECT id, v FROM topic;
INSERT INTO strange SELECT id FROM topic WHERE v <> '${secret.variable}';
`;
const external = `CREATE TABLE result (id BIGINT) WITH ('connector' = 'kafka', 'topic' = 'x', 'properties.bootstrap.servers' = 'b:9092', 'format' = 'json');
INSERT INTO result SELECT id FROM lake.d.t;
INSERT INTO result SELECT id FROM crm.d.t;
INSERT INTO result SELECT id FROM pre;
`;
const broken = `CREATE TABLE a (id BIGINT) WITH ('connector' = 'kafka', 'password' = '${secret.option}', 'url' = 'x://u:${secret.host}@y' ;
INSERT INTO a SELECT '\${crm.password}' FRM a;
CREATE TABLE a (id BIGINT) WITH ('password' = '${secret.option}') 'password' = '${secret.option}' nonsense ${secret.variable};
INSERT INTO nowhere SELECT '${secret.variable}' FROM a;
`;

/** Declares the test for one family. */
export async function secretSuite(family: Family): Promise<void> {
  const suite = await requireServer(family);
  suite(`secrets on ${family}`, () => {
    beforeAll(() => buildProgram());

    it('are in nothing that the program writes', async () => {
      const [console, receiver, second, strict] = await Promise.all([
        openSmallConsole(family, realClock()),
        startLineageReceiver(),
        startLineageReceiver(),
        startLineageReceiver(),
      ]);
      const folder = mkdtempSync(join(tmpdir(), 'spl-secret-'));
      const file = (name: string, text: string) => {
        writeFileSync(join(folder, name), text);
        return join(folder, name);
      };
      const own = ownTablesOf(console.database);
      const user = `spl_secret_${process.pid}`;
      await onServer(
        family,
        family === 'mysql'
          ? `create user ${user}@'%' identified by '${secret.sourceUrl}'`
          : `create role ${user} superuser login password '${secret.sourceUrl}'`,
      );
      const url = new URL(console.database.url);
      [url.username, url.password] = [user, secret.sourceUrl];
      const address = new URL(receiver.url);
      [address.username, address.password] = ['u', secret.address];
      const env = {
        SOURCE_URL: url.href,
        STATE_SCHEMA: own.schema,
        POLL_INTERVAL: '100ms',
        SOURCE_TIMEZONE: 'UTC',
        HTTP_PORT: '0',
        LOG_LEVEL: 'trace',
        EVENTS_SQL: 'prepared',
        EVENTS_HEARTBEAT: '1s',
        EVENTS_OTHER_JOBS: 'true',
        STATE_URL_FILE: file('state-url', `${url.href}\n`),
        DESTINATIONS: JSON.stringify([
          { name: 'lab', type: 'http', url: second.url, headers: { 'x-key': secret.header } },
          {
            name: 'strict',
            type: 'http',
            url: `${strict.url.replace('//', `//u:${secret.labUser}@`)}/?api_key=${secret.query}`,
            tokenFile: file('token', secret.tokenFile),
          },
        ]),
        CATALOGS: JSON.stringify([
          {
            catalog: 'lake',
            type: 'iceberg-rest',
            uri: `http://u:${secret.catalogUrl}@127.0.0.1:9/`,
            token: secret.catalogToken,
            headers: { 'x-key': secret.catalogHeader },
          },
          { catalog: 'crm', type: 'jdbc', url: `${family}://u:${secret.catalogUrl}@127.0.0.1:9/d` },
        ]),
        PLANNER_PRELUDE: JSON.stringify([
          {
            sql: `CREATE TABLE pre (id BIGINT) WITH ('connector' = 'jdbc', 'url' = 'jdbc:mysql://u:${secret.prelude}@h/d', 'table-name' = 't', 'password' = '${secret.prelude}');`,
          },
        ]),
      };
      // Servers that repeat what they were sent, in their words of refusal.
      const echo = (...sent: string[]) => JSON.stringify({ message: `refused: ${sent.join(' ')}` });
      strict.behave({ kind: 'status', status: 400, body: echo(secret.tokenFile, `u:${secret.labUser}`, `api_key=${secret.query}`) });
      const outputs: string[] = [];
      try {
        if (family === 'mysql') await onServer(family, `grant all privileges on *.* to ${user}@'%'`);
        await console.setting('lineage.gravitino.address', address.href);
        await console.setting('lineage.gravitino.token', secret.token);
        await console.variable('crm.password', secret.variable, true);
        await console.variable('other.password', secret.unused, true);
        await console.insert('t_flink_env', { version: '1.20.1', flink_conf: `s3.secret-key: ${secret.conf}`, is_default: true });
        const columns = {
          description: `call with ${secret.unused} or x://u:${secret.exception}@y`,
          dynamic_properties: `-Ds3.secret-key=${secret.conf}`,
        };
        await console.setting('docker.register.password', secret.row);
        await console.insert('t_flink_config', {
          id: 9,
          app_id: 1,
          format: 2,
          version: 1,
          content: encoded(`flink.property.s3.secret-key=${secret.config}`),
        });
        await console.insert('t_flink_effective', { app_id: 1, target_type: 1, target_id: 9 });
        await console.app({ id: 5, name: 'external', script: external, columns });
        await console.app({ id: 1, name: 'sound', script, columns });
        await console.app({ id: 2, name: 'broken', script: broken, columns });
        await console.app({ id: 3, name: 'refused', script, columns });
        await console.app({ id: 4, name: 'jar', columns: { ...columns, job_type: 1 } });

        // First with a server that refuses, in words of its own.
        receiver.behave({ kind: 'status', status: 401, body: echo(`Bearer ${secret.token}`, `u:${secret.address}`) });
        const daemon = startProgram(['run'], env);
        await until('active', () => daemon.stderr().includes('"active"'), 120_000);
        for (const id of [1, 2, 5]) await console.run(id, jobId(id));
        for (const id of [3, 4]) {
          await console.starting(id);
          await console.refused(
            id,
            `java.lang.Exception: x://u:${secret.exception}@y, password=${secret.option}, ${secret.variable}, '${secret.unused}'\n\tat a.b`,
          );
        }
        const told = [
          'broken: START RUNNING',
          'jar: START FAIL',
          'refused: START FAIL',
          'sound.other: START RUNNING',
          'sound.target: START RUNNING',
          'sound: START RUNNING',
        ];
        const firsts = () =>
          lives(second.events)
            .filter((line) => !line.startsWith('external'))
            .map((line) => line.split(' ').slice(0, 3).join(' '))
            .sort();
        await until(
          () => `events ${told.join()}, not ${firsts().join()}`,
          () => firsts().join() === told.join(),
          120_000,
        );
        await until('a paused destination', () => daemon.stderr().includes('TRANSPORT_PAUSED'));
        receiver.behave({ kind: 'take' });
        for (const id of [1, 2]) await console.ended(id, 7);
        await until('the ends', () => lives(second.events).filter((line) => line.endsWith('FAIL')).length === 6, 120_000);
        const at = await opsAddress(daemon);
        outputs.push(await (await fetch(`${at}/metrics`)).text(), JSON.stringify(await readiness(at)));
        await until(
          'the planned script of external catalogs',
          () => lives(second.events).some((line) => line.startsWith('external')),
          60_000,
        );
        await until('a refusal for good', () => daemon.stderr().includes('TRANSPORT_REFUSED'));
        for (const pid of processesOf(daemon.pid)) outputs.push(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
        for (const pid of processesOf(daemon.pid).slice(1)) outputs.push(readFileSync(`/proc/${pid}/environ`, 'utf8'));
        daemon.kill('SIGTERM');
        const ended = await daemon.ended;
        expect(ended.code).toBe(0);
        outputs.push(ended.stderr, ended.stdout);

        for (const args of [
          ['once'],
          ['check', '--json'],
          ['apps', '--all', '--json'],
          ['outbox', 'stats', '--json'],
          ['outbox', 'list', '--state', 'waiting', '--json'],
          ['outbox', 'list', '--state', 'sent', '--json'],
          ['outbox', 'list', '--json'],
          ['outbox', 'list'],
          ['check'],
          ['apps'],
          ['migrate', 'status', '--json'],
          ['migrate', 'status'],
          ['migrate', 'up', '--dry-run', '--grants', '--views', '--target', 'streampark'],
          ['explain', '--app', 'flink:1', '--json'],
          ['explain', '--app', 'flink:2'],
        ]) {
          const { stdout, stderr } = await runProgram(args, env);
          outputs.push(`${args.join(' ')}\n${stdout}\n${stderr}`);
        }
        const wrong = await runProgram(['once'], { ...env, SOURCE_URL: url.href.replace(/:\d+\//, ':1/') });
        const malformed = await runProgram(['check'], {
          ...env,
          SOURCE_URL: `nonsense://${secret.sourceUrl}@x`,
          STATE_URL: secret.sourceUrl,
        });
        outputs.push(wrong.stderr, malformed.stderr, malformed.stdout);

        for (const wrong of [
          { CONFIG: file('broken.yaml', `source: { url: "mysql://u:${secret.sourceUrl}@h/d\n`) },
          { CONFIG: file('unknown.yaml', `source: { urls: "mysql://u:${secret.sourceUrl}@h/d" }\n`) },
          { CONFIG: join(folder, 'absent.yaml') },
          { DESTINATIONS: `[{"name":"x","token":"${secret.token}",,}]` },
          { DESTINATIONS: `[{"name":"x","type":"http","url":"nonsense:${secret.address}","token":["${secret.token}"]}]` },
          { CATALOGS: `[{"catalog":"x","type":"jdbc","url":"oracle://u:${secret.catalogUrl}@h"}]` },
          { GRAVITINO_TOKEN: secret.token, GRAVITINO_TOKEN_FILE: file('token', secret.tokenFile) },
          { GRAVITINO_ADDRESS: `nonsense ${secret.address}`, GRAVITINO_TOKEN: `bad\n${secret.token}` },
        ]) {
          const { stdout, stderr } = await runProgram(['check'], { ...env, ...wrong });
          expect(stdout + stderr).not.toBe('');
          outputs.push(stdout, stderr);
        }
        const table = {
          options: {
            connector: 'jdbc',
            url: `jdbc:mysql://u:${secret.jdbcUser}@h/d?password=${secret.jdbcUrl}`,
            'table-name': 't',
            password: secret.option,
          },
        };
        const named = await runProgram(['identify'], {}, `${JSON.stringify(table)}\n`);
        expect(named.stdout).toContain('mysql://h:3306');
        outputs.push(named.stdout, named.stderr);

        for (const output of outputs) expect(linesWith(output)).toEqual([]);
        for (const { body } of [...receiver.requests, ...second.requests, ...strict.requests]) expect(linesWith(body)).toEqual([]);
        expect(linesWith(await own.dump())).toEqual([]);
        // They were really there to be found.
        expect(second.requests[0]?.headers['x-key']).toBe(secret.header);
        expect(receiver.requests[0]?.headers.authorization).toBe(`Bearer ${secret.token}`);
        expect(strict.requests[0]?.headers.authorization).toBe(`Bearer ${secret.tokenFile}`);
        expect(strict.requests[0]?.path).toContain(secret.query);
      } finally {
        await Promise.all([receiver.close(), second.close(), strict.close()]);
        rmSync(folder, { recursive: true });
        await own.drop();
        await console.drop();
        await onServer(family, family === 'mysql' ? `drop user if exists ${user}@'%'` : `drop role if exists ${user}`).catch(
          () => undefined,
        );
      }
    }, 600_000);
  });
}

/** The surroundings of every find. */
const linesWith = (text: string): string[] =>
  text.split('\n').flatMap((line) => {
    const at = line.search(planted);
    return at < 0 ? [] : [line.slice(Math.max(0, at - 150), at + 60)];
  });
