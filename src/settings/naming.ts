// The maps and lists of the section `identity`: aliases, OpenLineage's namespace resolvers, and servers that may be asked for names.
import { z } from 'zod';
import { duration } from './units.ts';

const text = z.string().trim().min(1);
const flag = z.union([z.boolean(), z.stringbool()]);

/** An environment variable has it as JSON. */
function json(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}

export const textMap = z.preprocess(json, z.record(text, text)).default({});

/** As OpenLineage's clients read `dataset.namespaceResolvers`. A map with whole numbers as names would lose its order. */
const resolverName = text.regex(/^(?!\d+$)/, 'a resolver is not named by a number');
const schema = { schema: text.optional() };
export const resolverSchema = z.discriminatedUnion('type', [
  z.strictObject({ ...schema, type: z.literal('hostList'), hosts: z.array(text).min(1) }),
  z.strictObject({ ...schema, type: z.literal('pattern'), regex: text }),
  z.strictObject({ ...schema, type: z.literal('patternGroup'), regex: text, matchingGroup: text }),
]);
export const resolversSchema = z.preprocess(json, z.record(resolverName, resolverSchema)).default({});

/** A server that may be asked for names: `namespace` is what its tables are named under where its url does not say it. */
export const connectionSchema = z.strictObject({
  url: z.string().regex(/^(?:mysql|mariadb|postgres|postgresql|kafka):\/\/./, 'mysql://, postgres:// or kafka://'),
  namespace: text.optional(),
  passwordFile: text.optional(),
  tls: flag.default(false),
  ca: text.optional(),
  mechanism: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).default('plain'),
  timeout: duration.prefault('5s'),
});
export type ConnectionSettings = z.output<typeof connectionSchema>;
export const connectionsSchema = z.preprocess(json, z.array(connectionSchema)).default([]);
