// The file of a Flink CDC pipeline, wherever StreamPark keeps its text.
import { parse } from 'yaml';

export interface Definition {
  readonly whole: unknown;
  readonly source: Readonly<Record<string, string>>;
  readonly sink: Readonly<Record<string, string>>;
  readonly route: readonly { readonly from: string; readonly to: string; readonly symbol: string | undefined }[];
  readonly routeMode: string | undefined;
}

const longest = 1024 * 1024;

/** Reads a text as a pipeline: a mapping whose `source` and `sink` have a type. Undefined for any other text. */
export function readDefinition(text: string): Definition | undefined {
  if (text.length > longest || !/\bsource\b/.test(text) || !/\bsink\b/.test(text)) return undefined;
  let whole: unknown;
  try {
    whole = parse(text, { logLevel: 'silent', maxAliasCount: 100 });
  } catch {
    return undefined;
  }
  if (!isObject(whole)) return undefined;
  const [source, sink] = [texts(whole['source']), texts(whole['sink'])];
  if (source['type'] === undefined || sink['type'] === undefined) return undefined;
  const rules: unknown[] = Array.isArray(whole['route']) ? whole['route'] : [];
  const route = rules.flatMap((written) => {
    const rule = texts(written);
    const { 'source-table': from, 'sink-table': to, 'replace-symbol': symbol } = rule;
    return from === undefined || to === undefined ? [] : [{ from, to, symbol }];
  });
  return { whole, source, sink, route, routeMode: texts(whole['pipeline'])['route-mode'] };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Scalars of a mapping as texts; nested mappings give dotted keys. */
function texts(value: unknown, path = '', depth = 0): Record<string, string> {
  if (!isObject(value) || depth > 10) return {};
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, string][] => {
      const name = path === '' ? key : `${path}.${key}`;
      if (isObject(inner)) return Object.entries(texts(inner, name, depth + 1));
      return inner === null || inner === undefined || typeof inner === 'object' ? [] : [[name, String(inner)]];
    }),
  );
}
