// Oracle urls: thin and OCI forms, TNS descriptors and LDAP names, accidents included (a dataset is named by its bytes).
import { before } from '../java/text.ts';
import { cutQuery, type JdbcDialect, type JdbcLocation, readGeneric, withPort } from './location.ts';
import { groupsNamed, parseTns, textOf } from './tns.ts';

export const oracle: JdbcDialect = {
  claims: (url) => url.toLowerCase().startsWith('oracle'),
  read(url): JdbcLocation | undefined {
    const address = cutQuery(url.replace(/^[^\n\r\u0085\u2028\u2029]*@(?:\/\/)?/, ''));
    const place = address.includes('(') ? readTns(address) : isLdap.test(address) ? readLdap(address) : readEasyConnect(address);
    return place === undefined ? undefined : withPort(readGeneric(`oracle://${place}`), 'oracle', 1521);
  },
};

const isLdap = /ldaps?:/i;

/** `host:port:SID`, `host:SID` and `host/service:mode`: a last part that is not a number stands behind a slash. */
function readEasyConnect(text: string): string {
  const address = text.replace(/^\w+:\/\//, '');
  const parts = address.split(':');
  while (parts.length > 1 && parts[parts.length - 1] === '') parts.pop();
  const last = parts[parts.length - 1] ?? '';
  if (!address.includes(':') || /[/\]]/.test(last) || /^\d+$/.test(last)) return address;
  return `${parts.slice(0, -1).join(':')}/${last}`;
}

/** The host of the first LDAP url, the last path segment up to a comma. Urls are split at a literal `\s`, not at blanks. */
function readLdap(address: string): string {
  const first = address.replace(/^[\s\S]*?ldaps?:(?:\/\/)?/i, '').split(/\\s+/)[0] ?? '';
  const name = before(first.slice(first.lastIndexOf('/') + 1), ',');
  return first.includes('/') ? readEasyConnect(`${before(first, '/')}/${name}`) : first;
}

function readTns(address: string): string | undefined {
  const descriptor = parseTns(address.trim());
  if (descriptor === undefined) return undefined;
  const hosts = groupsNamed(descriptor, 'address').flatMap((group) => {
    const [host, port] = [textOf(group, 'host'), textOf(group, 'port')];
    return host === undefined ? [] : [`${host}:${port ?? 1521}`];
  });
  const data = groupsNamed(descriptor, 'connect_data')[0];
  const service = textOf(data, 'service_name') ?? textOf(data, 'sid') ?? textOf(data, 'instance_name');
  return hosts.length === 0 ? undefined : hosts.join(',') + (service === undefined ? '' : `/${service}`);
}
