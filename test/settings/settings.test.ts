import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.ts';
import { effectiveSettings, envName, listOptions, readSettings } from '../../src/settings/settings.ts';

const problem = (file: string | undefined, env = {}) => {
  try {
    readSettings(file, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error('was accepted');
};

describe('readSettings', () => {
  it('has a default for everything but the addresses', () => {
    const s = readSettings(undefined, {});
    expect(s.poll.interval).toBe(5_000);
    expect(s.optIn).toBe('column');
    expect(s.events.heartbeat).toBe(6 * 3_600_000);
    expect(s.events.maxBytes).toBe(262_144);
    expect(s.destinations).toEqual([]);
    expect(s.source.url).toBeUndefined();
    expect(s.http).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(Object.isFrozen(s)).toBe(true);
    expect(Object.isFrozen(s.events)).toBe(true);
  });

  it('reads units, lists and flags from file and environment, and lets the environment win', () => {
    const s = readSettings('poll: { interval: 2s }\nevents: { failedSubmissions: no }\noptIn: { teams: [7, shop], apps: ["flink:1"] }\n', {
      STREAMPARK_LINEAGE_POLL_INTERVAL: '250ms',
      STREAMPARK_LINEAGE_EVENTS_MAX_BYTES: '1MiB',
      STREAMPARK_LINEAGE_DESTINATIONS: '[{"name":"a","type":"console"}]',
      STREAMPARK_LINEAGE_GRAVITINO_ADDRESS: 'http://g:8090',
    });
    expect(s.poll.interval).toBe(250);
    expect(s.events.maxBytes).toBe(1_048_576);
    expect(s.optIn).toEqual({ teams: ['7', 'shop'], apps: ['flink:1'], except: [] });
    expect(s.destinations).toEqual([{ name: 'a', type: 'console' }]);
    expect(s.lineage.gravitino.address).toBe('http://g:8090');
  });

  it('treats an empty variable as not set', () => {
    expect(readSettings('poll: { interval: 2s }', { STREAMPARK_LINEAGE_POLL_INTERVAL: '' }).poll.interval).toBe(2_000);
  });

  it('names every wrong and unknown option, and where it came from', () => {
    expect(problem('pol: { interval: 1s }\nhttp: { port: 99999 }\n', { STREAMPARK_LINEAGE_POLL_INTERVAL: 'soon' })).toMatch(
      /pol: unknown option.*STREAMPARK_LINEAGE_POLL_INTERVAL: expected a value such as 5s.*http\.port/s,
    );
    expect(problem('destinations: [{ name: a, type: ftp }]')).toContain('destinations.0.type');
    expect(problem('destinations: [{ name: a, type: console }, { name: a, type: console }]')).toContain('the same name');
    expect(problem('optIn: { apps: [100001] }')).toContain('optIn');
    expect(problem('source: nonsense')).toContain('source: expected a section');
  });

  it('names variables that look like an option and are none; those that Kubernetes sets for a Service are left alone', () => {
    expect(problem(undefined, { STREAMPARK_LINEAGE_POL_INTERVAL: '1s', STREAMPARK_LINEAGE_HTP_PORT: '1' })).toBe(
      'STREAMPARK_LINEAGE_POL_INTERVAL: unknown option; STREAMPARK_LINEAGE_HTP_PORT: unknown option',
    );
    const quiet = {
      STREAMPARK_LINEAGE_CONFIG: '/etc/settings.yaml',
      STREAMPARK_LINEAGE_NOT_SET: '',
      STREAMPARK_LINEAGE_SERVICE_HOST: '10.0.0.1',
      STREAMPARK_LINEAGE_SERVICE_PORT: '9464',
      STREAMPARK_LINEAGE_SERVICE_PORT_HTTP: '9464',
      STREAMPARK_LINEAGE_PORT: 'tcp://10.0.0.1:9464',
      STREAMPARK_LINEAGE_PORT_9464_TCP: 'tcp://10.0.0.1:9464',
      STREAMPARK_LINEAGE_PORT_9464_TCP_ADDR: '10.0.0.1',
      STREAMPARK_LINEAGE_RELAY_SERVICE_HOST: '10.0.0.2',
    };
    expect(readSettings(undefined, quiet).http.port).toBe(9464);
  });

  it('says of every option which form is expected', () => {
    const messages = listOptions().flatMap(({ path }) => {
      const file = (value: string) =>
        `${path
          .split('.')
          .map((part, depth) => `${'  '.repeat(depth)}${part}:`)
          .join('\n')} ${value}\n`;
      return ['{ nonsense: [1] }', '[{ type: nonsense, tls: 7 }]', '{ a: { type: nonsense } }'].map((value) => {
        try {
          readSettings(file(value), {});
          return '';
        } catch (error) {
          return (error as Error).message;
        }
      });
    });
    expect(messages.filter((message) => message !== '').length).toBeGreaterThan(100);
    expect(messages.filter((message) => /Invalid input(?!:)/.test(message))).toEqual([]);
    expect(problem('optIn: { team: [shop] }')).toBe('optIn: Unrecognized key: "team"');
    expect(problem('optIn: teams')).toBe(
      'optIn: expected column, or lists: {teams: [name or id], apps: ["flink:100001", "spark:100001"], except: []}',
    );
    expect(problem('destinations: [{ name: a, type: ftp }]')).toContain('expected http, kafka, file, console, extension');
  });

  it.each([
    ['mysql://u:p@h:3306', 'source.url: names no database'],
    ['postgres://u:p@h/', 'source.url: names no database'],
    ['mysql://u:hunter#2@h/streampark', 'source.url: is no URL; write special characters of user and password as %XX, such as %23 for #'],
    ['mysql://u:hunt%er@h/streampark', 'source.url: has a % in user or password that is none; write special characters'],
    ['oracle://u:hunter2@h/x', 'source.url: does not begin with mysql://'],
  ])('refuses the URL %s with a hint', (url, message) => {
    const said = problem(undefined, { STREAMPARK_LINEAGE_SOURCE_URL: url });
    expect(said).toContain(message);
    expect(said).not.toContain('hunt');
  });

  it('never prints the value of a secret', () => {
    expect(problem('source: { url: [hunter2] }')).not.toContain('hunter2');
  });

  it('says where YAML is broken, without quoting it', () => {
    const message = problem('a: b\nsource: { url: "hunter2\n');
    expect(message).toMatch(/line \d/);
    expect(message).not.toContain('hunter2');
  });
});

describe('envName', () => {
  it('follows the path', () => {
    expect(envName(['events', 'failedSubmissions'])).toBe('STREAMPARK_LINEAGE_EVENTS_FAILED_SUBMISSIONS');
    expect(envName(['lineage', 'gravitino', 'token'])).toBe('STREAMPARK_LINEAGE_GRAVITINO_TOKEN');
    const names = listOptions().map((o) => o.env);
    expect(new Set(names).size).toBe(names.length);
  });
});

describe('effectiveSettings', () => {
  const settings = readSettings(undefined, {});

  it('is not configured without an address or a destination', () => {
    expect(effectiveSettings(settings, {})).toMatchObject({ configured: false, namespace: 'streampark', destinations: [] });
    expect(effectiveSettings(settings, { 'lineage.gravitino.address': '  ' }).configured).toBe(false);
  });

  it('takes the rows of t_setting', () => {
    const e = effectiveSettings(settings, {
      'lineage.gravitino.address': ' http://g:8090 ',
      'lineage.gravitino.token': 't',
      'lineage.gravitino.namespace': 'prod',
      'lineage.flink.native.listener.enable': 'TRUE',
    });
    expect(e).toMatchObject({ configured: true, namespace: 'prod', nativeListener: true, problems: [] });
    expect(e.destinations).toMatchObject([{ name: 'gravitino', type: 'http', preset: 'gravitino', url: 'http://g:8090', token: 't' }]);
  });

  it('lets file and environment win, key by key', () => {
    const own = readSettings(undefined, { STREAMPARK_LINEAGE_GRAVITINO_TOKEN: 'mine', STREAMPARK_LINEAGE_GRAVITINO_NAMESPACE: 'own' });
    const e = effectiveSettings(own, {
      'lineage.gravitino.address': 'http://g',
      'lineage.gravitino.token': 'theirs',
      'lineage.gravitino.namespace': 'x',
    });
    expect(e.destinations).toMatchObject([{ token: 'mine' }]);
    expect(e.namespace).toBe('own');
  });

  it('leaves out an address that is no URL, with a word', () => {
    const e = effectiveSettings(settings, { 'lineage.gravitino.address': 'gravitino:8090' });
    expect(e.configured).toBe(false);
    expect(e.problems).toEqual(['lineage.gravitino.address is not an http or https URL']);
  });

  it('refuses catalogs that say too much, too little or the same twice', () => {
    const told = (...list: unknown[]) => problem(undefined, { STREAMPARK_LINEAGE_CATALOGS: JSON.stringify(list) });
    const jdbc = { catalog: 'c', type: 'jdbc' };
    const url = 'mysql://u:geh3im@h/d';
    expect(told(jdbc)).toContain('has either url or credentials: script');
    expect(told({ ...jdbc, url, credentials: 'script' })).toContain('has either url or credentials: script');
    expect(told({ ...jdbc, url }, { ...jdbc, url })).toContain('two entries are for the same catalog and team');
    expect(told({ ...jdbc, url: 'oracle://u:geh3im@h' })).not.toContain('geh3im');
    expect(told({ catalog: 'c', type: 'iceberg-rest', uri: 'ftp://h' })).toMatch(/CATALOGS\.0\.uri/);
    expect(told({ catalog: 'c', type: 'hive' })).toMatch(/CATALOGS\.0\.type/);
  });
});
