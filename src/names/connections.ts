// Which configured server a pattern may be asked at: the one that the names of its tables have as namespace.
import { readFileSync } from 'node:fs';
import type { Pattern } from '../identity/identity.ts';
import type { ConnectionSettings } from '../settings/settings.ts';

const schemes = { mysql: ['mysql', 'mariadb'], postgres: ['postgres', 'postgresql'], kafka: ['kafka'] } as const;
const ports = { mysql: '3306', postgres: '5432', kafka: '9092' } as const;

/** The connection of a pattern's server; undefined when none is configured. */
export function connectionFor({ kind, namespace }: Pattern, connections: readonly ConnectionSettings[]): ConnectionSettings | undefined {
  return connections.find((connection) => {
    const { scheme, hosts } = parseConnection(connection.url);
    if (!schemes[kind].some((each) => each === scheme)) return false;
    if (connection.namespace !== undefined) return connection.namespace === namespace;
    return hosts.some(
      (host) => `${kind}://${host}` === namespace.toLowerCase() || `${kind}://${withPort(host, kind)}` === namespace.toLowerCase(),
    );
  });
}

const withPort = (host: string, kind: Pattern['kind']): string => (/:\d+$/.test(host) ? host : `${host}:${ports[kind]}`);

/** What a connection can be asked for, and the namespace that it stands for: the one in the settings, else that of its first host. */
export function namespaceOf({ url, namespace }: ConnectionSettings): { readonly kind: Pattern['kind']; readonly namespace: string } {
  const { scheme, hosts } = parseConnection(url);
  const kind = (['mysql', 'postgres', 'kafka'] as const).find((each) => schemes[each].some((known) => known === scheme)) ?? 'mysql';
  return { kind, namespace: namespace ?? `${kind}://${withPort(hosts[0] ?? '', kind)}` };
}

/** The one database that the pattern can match; a big server need not list the others. */
export function onlyDatabase({ kind, levels }: Pattern): string | undefined {
  const [databases = []] = levels;
  const [only] = databases;
  return kind === 'mysql' && databases.length === 1 && only !== undefined && /^\w+$/.test(only) ? only : undefined;
}

export interface ParsedConnection {
  readonly scheme: string;
  /** `host` or `host:port`, in lower case. */
  readonly hosts: readonly string[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** What stands behind the hosts: path and parameters. */
  readonly rest: string;
}

/** `scheme://[user[:password]@]host[:port][,host…][/path][?…]`; what a `URL` cannot read is a list of hosts. */
export function parseConnection(url: string): ParsedConnection {
  const [, scheme = '', authority = '', rest = ''] = /^([a-z]+):\/\/([^/?]*)([\s\S]*)$/i.exec(url) ?? [];
  const at = authority.lastIndexOf('@');
  const [user, ...password] = at < 0 ? [] : authority.slice(0, at).split(':');
  return {
    scheme: scheme.toLowerCase(),
    hosts: authority
      .slice(at + 1)
      .split(',')
      .map((host) => host.trim().toLowerCase())
      .filter((host) => host !== ''),
    user: user === undefined || user === '' ? undefined : decoded(user),
    password: password.length === 0 ? undefined : decoded(password.join(':')),
    rest,
  };
}

/** The password of a connection: of its file, read each time so that it can be changed, else of its url. */
export function passwordOf({ url, passwordFile }: ConnectionSettings): string | undefined {
  return passwordFile === undefined ? parseConnection(url).password : readFileSync(passwordFile, 'utf8').trim();
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
