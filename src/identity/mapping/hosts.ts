// One server under one address, as the operator says it: aliases of hosts, and lists in one order. Nothing is looked up.
import type { IdentityFacts } from '../identity.ts';

export interface HostSettings {
  /** `written`: the first of a list is the first that is written; `sorted`: the first in alphabetical order. */
  readonly order: 'written' | 'sorted';
  /** `host` or `host:port` -> the address to print instead. */
  readonly aliases: Readonly<Record<string, string>>;
}

/** The hosts of a namespace under the addresses that the settings say; object stores' `container@account` stays as it is. */
export function canonicalHosts(namespace: string, { order, aliases }: HostSettings): string {
  const [, head, authority, path = ''] = /^([\w+.-]+:\/\/)([^/@]+)(\/[\s\S]*)?$/.exec(namespace) ?? [];
  if (head === undefined || authority === undefined) return namespace;
  const written = authority.split(',');
  const hosts = written.map((host) => aliasOf(host, aliases));
  const listed = order === 'sorted' ? [...hosts].sort(byHost) : hosts;
  // Two addresses of one server are one.
  return head + (hosts.some((host, i) => host !== written[i]) ? [...new Set(listed)] : listed).join(',') + path;
}

function aliasOf(address: string, aliases: HostSettings['aliases']): string {
  const known = new Map(Object.entries(aliases).map(([from, to]) => [from.toLowerCase(), to]));
  const whole = known.get(address.toLowerCase());
  if (whole !== undefined) return whole;
  const [, host = '', port = ''] = /^(\[[^\]]*\]|[^:]*)(:\d+)?$/.exec(address) ?? [];
  const alias = known.get(host.toLowerCase());
  return alias === undefined ? address : `${alias}${port}`;
}

const byHost = (a: string, b: string): number => {
  const [first, second] = [a.toLowerCase(), b.toLowerCase()];
  return first < second ? -1 : first > second ? 1 : 0;
};

/** The facts with their server lists sorted, for the rules that take the first of a list. */
export function withSortedHosts(facts: IdentityFacts, keys: readonly string[]): IdentityFacts {
  const sorted = (options: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(options).map(([key, value]) => [key, keys.includes(key) ? sortList(value) : value]));
  return {
    ...facts,
    options: sorted(facts.options),
    catalog: facts.catalog === null ? null : { ...facts.catalog, options: sorted(facts.catalog.options) },
  };
}

/** A scheme that only the first address has is that of all. */
function sortList(list: string): string {
  const separator = list.includes(',') ? ',' : ';';
  const addresses = list
    .split(separator)
    .map((address) => address.trim())
    .filter((address) => address !== '');
  const [scheme = ''] = /^[\w+.-]+:\/\//.exec(addresses[0] ?? '') ?? [];
  const bare = addresses.map((address) => (address.startsWith(scheme) ? address.slice(scheme.length) : address)).sort(byHost);
  return bare.map((address) => (address.includes('://') ? address : scheme + address)).join(separator);
}
