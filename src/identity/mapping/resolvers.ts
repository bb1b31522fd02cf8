// OpenLineage's dataset namespace resolvers, with the keys and the behaviour of the official client
// (openlineage-java, dataset/namespace/resolver), so that a site gives its listeners and this program the same settings.
import { javaPattern, javaReplaceAll } from '../java/regex.ts';

/** One resolver; `schema` restricts it to namespaces with exactly that text before `://`. */
export type NamespaceResolver = { readonly schema?: string | undefined } & (
  | { readonly type: 'hostList'; readonly hosts: readonly string[] }
  | { readonly type: 'pattern'; readonly regex: string }
  | { readonly type: 'patternGroup'; readonly regex: string; readonly matchingGroup: string }
);

/** The namespace after the first resolver that changes it; where the official code throws, nothing is changed. */
export function resolveNamespace(namespace: string, resolvers: Readonly<Record<string, NamespaceResolver>>): string {
  for (const [name, resolver] of Object.entries(resolvers)) {
    if (resolver.schema !== undefined && !namespace.startsWith(`${resolver.schema}://`)) continue;
    const resolved = resolve(namespace, name, resolver);
    if (resolved !== undefined && resolved !== namespace) return resolved;
  }
  return namespace;
}

function resolve(namespace: string, name: string, resolver: NamespaceResolver): string | undefined {
  if (resolver.type === 'hostList') {
    const lower = namespace.toLowerCase();
    const host = resolver.hosts.find((each) => each !== '' && lower.includes(each.toLowerCase()));
    return host === undefined ? undefined : replaceLiteral(namespace, host, name);
  }
  const pattern = javaPattern(resolver.regex);
  if (pattern === undefined) return undefined;
  if (resolver.type === 'pattern') return javaReplaceAll(namespace, pattern, name);
  const group = new RegExp(pattern.source, pattern.flags.replace('g', '')).exec(namespace)?.groups?.[resolver.matchingGroup];
  return group === undefined ? undefined : javaReplaceAll(namespace, pattern, group);
}

/** All occurrences, whatever their case. */
const replaceLiteral = (text: string, part: string, by: string): string =>
  text.replace(new RegExp(part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'gi'), () => by);

/** What is wrong with a resolver, for the one who wrote it; undefined when nothing is. */
export function resolverProblem(name: string, resolver: NamespaceResolver): string | undefined {
  if (resolver.type === 'hostList') return undefined;
  const pattern = javaPattern(resolver.regex);
  if (pattern === undefined) return 'its regex is not one that this program can follow';
  const groups = new RegExp(`${pattern.source}|`, pattern.flags).exec('');
  if (resolver.type === 'patternGroup') {
    return Object.hasOwn(groups?.groups ?? {}, resolver.matchingGroup) ? undefined : 'its regex has no group of that name';
  }
  return javaReplaceAll('', new RegExp(`${pattern.source}|`, 'g'), name) === undefined
    ? 'its name refers to a group that its regex has not'
    : undefined;
}
