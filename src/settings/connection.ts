// How a database is reached beside its URL: TLS, and a login that may be replaced while the program runs.
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { familyOf, type OpenOptions } from '../database/database.ts';
import { readSecret } from './secret.ts';

type TlsMode = 'off' | 'require' | 'verify-ca' | 'verify-full';

/** The section `source` or `state` of the settings, as far as it concerns the connection. */
export interface Connection {
  readonly url?: string | undefined;
  readonly urlFile?: string | undefined;
  readonly tls?: {
    readonly mode?: TlsMode | undefined;
    readonly ca?: string | undefined;
    readonly cert?: string | undefined;
    readonly key?: string | undefined;
  };
}

const modeOf = ({ tls }: Connection): TlsMode => tls?.mode ?? (tls?.ca === undefined && tls?.cert === undefined ? 'off' : 'verify-full');

/** What `openDatabase` takes beside the URL. */
export function connectionOptions(connection: Connection): Pick<OpenOptions, 'tls' | 'freshUrl'> {
  const { tls, urlFile } = connection;
  const mode = modeOf(connection);
  return {
    ...(urlFile === undefined ? {} : { freshUrl: () => readSecret(urlFile) }),
    ...(mode === 'off' ? {} : { tls: { mode, ca: tls?.ca, cert: tls?.cert, key: tls?.key } }),
  };
}

/** What is wrong with a section, each as one line without secrets. */
export function connectionProblems(section: 'source' | 'state', connection: Connection): string[] {
  const { url, tls } = connection;
  const mode = modeOf(connection);
  const problems: string[] = [];
  for (const part of ['ca', 'cert', 'key'] as const) {
    const path = tls?.[part];
    if (path === undefined) continue;
    if (mode === 'off') problems.push(`${section}.tls.${part}: of no use with mode off`);
    const unreadable = whyUnreadable(path);
    if (unreadable !== undefined) problems.push(`${section}.tls.${part}: cannot read ${path} (${unreadable})`);
  }
  if ((tls?.cert === undefined) !== (tls?.key === undefined)) problems.push(`${section}.tls: cert and key go together`);
  if (url === undefined) return problems;
  const wrong = urlProblem(url, section === 'source');
  if (wrong !== undefined) return [...problems, `${section}.url: ${wrong}`];
  const address = new URL(url);
  if (tls?.mode !== undefined || mode !== 'off') {
    const inUrl = [...address.searchParams.keys()].filter((name) => /^ssl/i.test(name));
    if (inUrl.length > 0) problems.push(`${section}.tls: the URL says something else (${inUrl.join(', ')}); say it in one place`);
  }
  // mysql2 compares the certificate with `localhost` when the host is an address.
  if (mode === 'verify-full' && familyOf(url) === 'mysql' && isIP(address.hostname.replace(/^\[|\]$/g, '')) !== 0)
    problems.push(`${section}.tls: verify-full needs the name of the server in the URL, not its address; or set mode verify-ca`);
  return problems;
}

const escapes = 'write special characters of user and password as %XX, such as %23 for #, %2F for / and %25 for %';

/** What is wrong with the URL itself; it is a secret, so nothing of it is repeated. */
function urlProblem(url: string, withDatabase: boolean): string | undefined {
  if (familyOf(url) === undefined) return 'does not begin with mysql://, mariadb://, postgres:// or postgresql://';
  if (!URL.canParse(url)) return `is no URL; ${escapes}`;
  const { username, password, pathname } = new URL(url);
  try {
    decodeURIComponent(`${username}${password}`);
  } catch {
    return `has a % in user or password that is none; ${escapes}`;
  }
  if (withDatabase && /^\/*$/.test(pathname)) return `names no database, as in mysql://user:password@host:3306/streampark; ${escapes}`;
  return undefined;
}

function whyUnreadable(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').includes('-----BEGIN') ? undefined : 'not in PEM form';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'error';
  }
}
