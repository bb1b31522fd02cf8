// The metadata of an Iceberg table (a metadata file, or the `metadata` of a REST answer) as a table of Flink.
// Source of the form: Iceberg's table specification, "Table Metadata"; types as Iceberg's Flink module maps them.
import { z } from 'zod';
import { type CatalogTable, maxColumns, maxDepth, quoted, Unreadable } from './table.ts';

const type: z.ZodType<IcebergType> = z.lazy(() =>
  z.union([
    z.string(),
    z.object({ type: z.literal('struct'), fields: z.array(field) }),
    z.object({ type: z.literal('list'), element: type }),
    z.object({ type: z.literal('map'), key: type, value: type }),
  ]),
);
const field = z.object({ id: z.number().optional(), name: z.string(), type, doc: z.string().nullish() });
const schema = z.object({
  'schema-id': z.number().optional(),
  'identifier-field-ids': z.array(z.number()).optional(),
  fields: z.array(field),
});
const metadata = z.object({
  location: z.string().optional(),
  'current-schema-id': z.number().optional(),
  schemas: z.array(schema).optional(),
  schema: schema.optional(),
  'default-spec-id': z.number().optional(),
  'partition-specs': z
    .array(z.object({ 'spec-id': z.number(), fields: z.array(z.object({ 'source-id': z.number().optional(), transform: z.string() })) }))
    .optional(),
});

type IcebergType =
  | string
  | { type: 'struct'; fields: { name: string; type: IcebergType }[] }
  | { type: 'list'; element: IcebergType }
  | { type: 'map'; key: IcebergType; value: IcebergType };

/** @throws Unreadable where it is no metadata of a table */
export function icebergTable(value: unknown): CatalogTable {
  refuseDepth(value);
  const parsed = metadata.safeParse(value);
  if (!parsed.success) throw new Unreadable('table', `the table's metadata has another form at ${parsed.error.issues[0]?.path.join('.')}`);
  const found = parsed.data;
  const current = found.schemas?.find((each) => each['schema-id'] === found['current-schema-id']) ?? found.schema;
  if (current === undefined || current.fields.length === 0) throw new Unreadable('table', "the table's metadata has no current schema");
  if (current.fields.length > maxColumns) throw new Unreadable('table', `the table has more than ${maxColumns} columns`);
  const nameOf = new Map(current.fields.map(({ id, name }) => [id, name]));
  const named = (ids: readonly (number | undefined)[]) => ids.flatMap((id) => nameOf.get(id) ?? []);
  const spec = found['partition-specs']?.find((each) => each['spec-id'] === found['default-spec-id'])?.fields ?? [];
  return {
    columns: current.fields.map(({ name, type: written, doc }) => ({ name, type: icebergType(written), comment: doc ?? undefined })),
    primaryKey: named(current['identifier-field-ids'] ?? []),
    // Flink knows partitions by value only.
    partitionKeys: spec.every(({ transform }) => transform === 'identity') ? named(spec.map((each) => each['source-id'])) : [],
    options: found.location === undefined ? {} : { location: found.location },
  };
}

const plain: Readonly<Record<string, string>> = {
  boolean: 'BOOLEAN',
  int: 'INT',
  long: 'BIGINT',
  float: 'FLOAT',
  double: 'DOUBLE',
  date: 'DATE',
  time: 'TIME(6)',
  timestamp: 'TIMESTAMP(6)',
  timestamptz: 'TIMESTAMP_LTZ(6)',
  timestamp_ns: 'TIMESTAMP(9)',
  timestamptz_ns: 'TIMESTAMP_LTZ(9)',
  string: 'STRING',
  uuid: 'BINARY(16)',
  binary: 'BYTES',
  variant: 'VARIANT',
};

/** The Flink type; BYTES for one that Flink has nothing for. */
export function icebergType(written: IcebergType): string {
  if (typeof written !== 'string') {
    switch (written.type) {
      case 'struct':
        if (written.fields.length === 0) return 'BYTES';
        return `ROW<${written.fields.map((each) => `${quoted(each.name)} ${icebergType(each.type)}`).join(', ')}>`;
      case 'list':
        return `ARRAY<${icebergType(written.element)}>`;
      case 'map':
        return `MAP<${icebergType(written.key)}, ${icebergType(written.value)}>`;
    }
  }
  const decimal = /^decimal\(\s*(\d{1,2})\s*,\s*(\d{1,2})\s*\)$/.exec(written);
  if (decimal !== null) return `DECIMAL(${decimal[1]}, ${decimal[2]})`;
  const fixed = /^fixed\[(\d{1,9})\]$/.exec(written);
  if (fixed !== null) return `BINARY(${fixed[1]})`;
  return (Object.hasOwn(plain, written) ? plain[written] : undefined) ?? 'BYTES';
}

/** Nested deeper than any table: such a text is there to exhaust the stack of those who read it. */
export function refuseDepth(value: unknown): void {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > 4 * maxDepth) throw new Unreadable('table', 'the answer is nested too deeply');
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []));
  }
}
