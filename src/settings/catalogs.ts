// One entry of `catalogs`: how the tables of an external catalog are read when a script uses them without declaring them.
import { z } from 'zod';
import { duration } from './units.ts';
import { idText, text, typeIsOneOf } from './values.ts';

const base = {
  /** Name of the catalog in scripts. */
  catalog: text,
  /** Team id or name; without it the entry is for all teams. */
  team: idText.optional(),
  /** For each answer of the catalog. */
  timeout: duration.prefault('5s'),
  /** How long what was read is taken for true. */
  maxAge: duration.prefault('1h'),
};
const rest = {
  uri: z.url({ protocol: /^https?$/ }),
  warehouse: text.optional(),
  token: text.optional(),
  tokenFile: text.optional(),
  headers: z.record(z.string(), z.string()).default({}),
  ca: text.optional(),
};
const files = {
  /** The warehouse as this machine sees it. */
  path: text,
  /** The same warehouse as scripts name it, for catalogs that no script defines. */
  warehouse: text.optional(),
};

export const catalogSchema = z.discriminatedUnion(
  'type',
  [
    z
      .strictObject({
        ...base,
        type: z.literal('jdbc'),
        url: z
          .string()
          .refine(
            (url) => URL.canParse(url) && /^(?:mysql|mariadb|postgres|postgresql):\/\/./.test(url),
            'is no mysql://, mariadb:// or postgres:// URL',
          )
          .optional(),
        credentials: z.enum(['settings', 'script']).default('settings'),
      })
      .refine(({ url, credentials }) => (url === undefined) === (credentials === 'script'), 'has either url or credentials: script'),
    z.strictObject({
      ...base,
      ...rest,
      type: z.literal('iceberg-rest'),
      credential: text.regex(/:/, 'is written id:secret').optional(),
      scope: text.default('catalog'),
      oauthUri: z.url({ protocol: /^https?$/ }).optional(),
    }),
    z.strictObject({ ...base, ...rest, type: z.literal('paimon-rest') }),
    z.strictObject({ ...base, ...files, type: z.literal('iceberg-files') }),
    z.strictObject({ ...base, ...files, type: z.literal('paimon-files') }),
  ],
  typeIsOneOf('jdbc', 'iceberg-rest', 'paimon-rest', 'iceberg-files', 'paimon-files'),
);

export type CatalogSettings = z.output<typeof catalogSchema>;

/** Where an entry looks, without user, password and token: for messages and keys. */
export function catalogAddress(entry: CatalogSettings): string {
  if ('path' in entry) return entry.path;
  if (entry.type === 'jdbc' && entry.url === undefined) return 'the address in the script';
  const { protocol, host, pathname } = new URL(entry.type === 'jdbc' ? (entry.url ?? '') : entry.uri);
  return `${protocol}//${host}${pathname}`;
}
