// A row of information_schema.columns, whose numbers come as number, bigint or text by driver and server.

export interface ColumnRow {
  readonly name: string;
  readonly type: string;
  readonly length: unknown;
  readonly digits: unknown;
  readonly scale: unknown;
  readonly fraction: unknown;
}

const numberOf = (value: unknown): number | undefined => (value === null || value === undefined ? undefined : Number(value));

/** The measures of a column; undefined where it has none. */
export const numbers = ({ length, digits, scale, fraction }: ColumnRow) => ({
  length: numberOf(length),
  digits: numberOf(digits),
  scale: numberOf(scale),
  fraction: numberOf(fraction),
});
