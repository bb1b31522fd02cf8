// The maps and lists of the section `identity`: aliases, OpenLineage's namespace resolvers, and servers that may be asked for names.
import { z } from 'zod';
import { duration } from './units.ts';
import { flag, fromJson as json, text, typeIsOneOf } from './values.ts';

export const textMap = z.preprocess(json, z.record(text, text)).default({});

/** As OpenLineage's clients read `dataset.namespaceResolvers`. A map with whole numbers as names would lose its order. */
const resolverName = text.regex(/^(?!\d+$)/, 'a resolver is not named by a number');
const schema = { schema: text.optional() };
export const resolverSchema = z.discriminatedUnion(
  'type',
  [
    z.strictObject({ ...schema, type: z.literal('hostList'), hosts: z.array(text).min(1) }),
    z.strictObject({ ...schema, type: z.literal('pattern'), regex: text }),
    z.strictObject({ ...schema, type: z.literal('patternGroup'), regex: text, matchingGroup: text }),
  ],
  typeIsOneOf('hostList', 'pattern', 'patternGroup'),
);
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

/** What may stand in braces: an option, `[first]` of a list, a default; or a part of the table's path. */
const placeholder = /\{([^{}]*)\}/g;
const known = /^(?:\$(?:catalog|database|table)|[\w.-]+(?:\[first\])?(?:\|[^|{}]*)?)$/;
const template = text
  .refine((written) => !/[{}]/.test(written.replace(placeholder, '')), 'a brace without its other')
  .refine(
    (written) => [...written.matchAll(placeholder)].every(([, inner = '']) => known.test(inner)),
    'in braces stand an option, {option[first]}, {option|default}, {$catalog}, {$database} or {$table}',
  );

/** A connector of the site's: by templates, or named like one that is known, its options under other names. */
export const connectorTemplateSchema = z
  .strictObject({
    namespace: template.optional(),
    name: template.optional(),
    requires: z.array(text).default([]),
    like: text.optional(),
    options: z.record(text, text).default({}),
    aliases: z.array(text).default([]),
  })
  .refine(
    ({ namespace, name, like }) => (like === undefined ? namespace !== undefined && name !== undefined : !(namespace ?? name)),
    'a connector has namespace and name, or like',
  )
  .refine(({ like, options }) => like !== undefined || Object.keys(options).length === 0, 'options go with like: a map of theirs to its');
export type ConnectorTemplate = z.output<typeof connectorTemplateSchema>;
export const connectorsSchema = z
  .preprocess(json, z.record(text, connectorTemplateSchema))
  .refine((all) => {
    const names = Object.entries(all).flatMap(([name, { aliases }]) => [name, ...aliases]);
    return new Set(names).size === names.length;
  }, 'two connectors have the same name')
  .default({});
