// What functions of an extension may answer, checked: what comes out of a user's code is unknown until it was looked at.
import { z } from 'zod';

const text = z.string().min(1).max(4_096);
const symlink = z.object({ namespace: text, name: text, type: z.enum(['TABLE', 'LOCATION']) });
const dataset = z.object({ namespace: text, name: text, symlinks: z.array(symlink).max(20).default([]) });

/** Several for a list of topics; null: no physical identity. */
export const datasetsAnswer = z.union([z.null(), z.array(dataset).min(1).max(1_000), dataset.transform((one) => [one])]);
export const nameAnswer = z.object({ namespace: text.optional(), name: text.optional() });
export const eventAnswer = z.union([z.null(), z.record(z.string(), z.unknown())]);

/** `prefix_name`, as the specification names custom facets. */
const facetKey = /^[a-z][a-zA-Z0-9]*_[a-zA-Z0-9_]+$/;
/** Those of the specification that have the form of a custom one, those of others that consumers read, and our own. */
const taken = /^(?:streampark_|processing_engine$|environment_|spark_properties$|spark_version$|nominal_)/;
const facetName = z
  .string()
  .regex(facetKey, 'a key of a facet is written prefix_name')
  .refine((key) => !taken.test(key), 'the key is taken');
const content = z.looseObject({ _producer: z.url().optional(), _schemaURL: z.url().optional() });
const facets = z.record(facetName, content);

/** Largest answer of one builder, as JSON. */
const largestFacets = 32_768;

export const facetsAnswer = z
  .union([
    z.null(),
    z.strictObject({
      run: facets.optional(),
      job: facets.optional(),
      output: facets.optional(),
      inputs: z
        .array(z.union([z.null(), facets]))
        .max(1_000)
        .optional(),
    }),
  ])
  .refine(
    (answer) => jsonSize(answer) <= largestFacets,
    `facets of one builder take more than ${largestFacets / 1024} KiB, or are no JSON`,
  );

export const sentAnswer = z.union([
  z.undefined().transform(() => ({ kind: 'sent' as const })),
  z.object({ kind: z.literal('sent') }),
  z.object({ kind: z.literal('later'), reason: z.string(), retryAfterMs: z.number().min(0).optional() }),
  z.object({ kind: z.literal('never'), reason: z.string() }),
  z.object({ kind: z.literal('paused'), reason: z.string() }),
]);

function jsonSize(value: unknown): number {
  try {
    return Buffer.byteLength(JSON.stringify(value), 'utf8');
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

const aFunction = z.strictObject({ function: z.literal(true) });
const names = z.array(text).min(1);

/** The exports of a module, functions as `{function: true}`. An export that is not known is most likely a misspelt one. */
export const exportsShape = z.strictObject({
  connectors: z.array(z.strictObject({ names, options: z.array(text), identify: aFunction })).default([]),
  facets: z.record(z.string().regex(/^[\w-]{1,60}$/, 'a builder is named with letters, digits, - and _'), aFunction).default({}),
  mapName: aFunction.optional(),
  transport: aFunction.optional(),
  transform: aFunction.optional(),
});
export type ExportsShape = z.output<typeof exportsShape>;

/** Where and what is wrong with an answer, without its content. */
export function problemOf(error: z.ZodError): string {
  const [issue] = error.issues;
  const where = issue === undefined || issue.path.length === 0 ? '' : `${issue.path.map(String).join('.')}: `;
  const what = issue?.code === 'unrecognized_keys' ? `${issue.keys.join(', ')} is not known` : (issue?.message ?? 'is of another form');
  return `${where}${what}`;
}
