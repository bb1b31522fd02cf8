// The schema of a Paimon table (a schema file, or the `schema` of a REST answer) as a table of Flink. Its types are written
// as Flink writes them, nested ones as objects; a text of the catalog is taken only where it is a type that is known here.
import { z } from 'zod';
import { refuseDepth } from './iceberg.ts';
import { type CatalogTable, maxColumns, quoted, Unreadable } from './table.ts';

const type: z.ZodType<PaimonType> = z.lazy(() =>
  z.union([
    z.string(),
    z.object({
      type: z.string(),
      element: type.optional(),
      key: type.optional(),
      value: type.optional(),
      fields: z.array(field).optional(),
    }),
  ]),
);
const field = z.object({ name: z.string(), type, description: z.string().nullish() });
const schema = z.object({
  fields: z.array(field),
  primaryKeys: z.array(z.string()).nullish(),
  partitionKeys: z.array(z.string()).nullish(),
});

type PaimonType =
  | string
  | {
      type: string;
      element?: PaimonType | undefined;
      key?: PaimonType | undefined;
      value?: PaimonType | undefined;
      fields?: { name: string; type: PaimonType }[] | undefined;
    };

/** `path`: location of the table where it is told. @throws Unreadable where it is no schema of a table */
export function paimonTable(value: unknown, path: string | undefined): CatalogTable {
  refuseDepth(value);
  const parsed = schema.safeParse(value);
  if (!parsed.success) throw new Unreadable('table', `the table's schema has another form at ${parsed.error.issues[0]?.path.join('.')}`);
  const { fields, primaryKeys, partitionKeys } = parsed.data;
  if (fields.length === 0) throw new Unreadable('table', "the table's schema has no fields");
  if (fields.length > maxColumns) throw new Unreadable('table', `the table has more than ${maxColumns} columns`);
  return {
    columns: fields.map(({ name, type: written, description }) => ({
      name,
      type: paimonType(written),
      comment: description ?? undefined,
    })),
    primaryKey: primaryKeys ?? [],
    partitionKeys: partitionKeys ?? [],
    options: path === undefined ? {} : { path },
  };
}

const atomic = new RegExp(
  '^(?:(?:BOOLEAN|TINYINT|SMALLINT|INT|INTEGER|BIGINT|FLOAT|DOUBLE|DATE|STRING|BYTES|VARIANT)' +
    '|(?:CHAR|VARCHAR|BINARY|VARBINARY|TIME)(?:\\(\\d{1,10}\\))?' +
    '|(?:DECIMAL|NUMERIC|DEC)(?:\\(\\d{1,2}(?:,\\s*\\d{1,2})?\\))?' +
    '|(?:TIMESTAMP|TIMESTAMP_LTZ)(?:\\(\\d\\))?(?: WITH(?:OUT| LOCAL) TIME ZONE)?)$',
);

/** The Flink type; BYTES for one that Flink has nothing for (blobs, geometries). */
export function paimonType(written: PaimonType): string {
  const name = (typeof written === 'string' ? written : written.type).trim().replace(/\s+NOT NULL$/i, '');
  if (typeof written === 'string') {
    const upper = name.toUpperCase();
    return atomic.test(upper) ? upper : 'BYTES';
  }
  const { element, key, value, fields } = written;
  const kind = name.toUpperCase();
  if (kind.startsWith('ROW') && fields !== undefined && fields.length > 0) {
    return `ROW<${fields.map((each) => `${quoted(each.name)} ${paimonType(each.type)}`).join(', ')}>`;
  }
  if ((kind.startsWith('ARRAY') || kind.startsWith('VECTOR')) && element !== undefined) return `ARRAY<${paimonType(element)}>`;
  if (kind.startsWith('MULTISET') && element !== undefined) return `MULTISET<${paimonType(element)}>`;
  if (kind.startsWith('MAP') && key !== undefined && value !== undefined) return `MAP<${paimonType(key)}, ${paimonType(value)}>`;
  return 'BYTES';
}

/** `t$branch_b`, `t$snapshots`: another view of table t. */
export const withoutSuffix = (table: string): string => table.replace(/(?<=.)\$[\s\S]*$/, '');
