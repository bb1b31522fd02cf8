// Schemas that several options share: what is taken from YAML and from the text of an environment variable alike.
import { z } from 'zod';

/** Text that is not blank. */
export const text = z.string().trim().min(1);
/** Booleans as YAML and as people write them in an environment variable. */
export const flag = z.union([z.boolean(), z.stringbool()], { error: 'expected true or false' });
/** Id or name, which YAML takes for a number where it is one. */
export const idText = z.union([z.string(), z.number().int()], { error: 'expected a name or an id' }).transform(String);
/** What a union by `type` says of a type that it does not have. */
export const typeIsOneOf = (...types: readonly string[]) => ({
  error: (issue: { readonly code?: string | undefined }) => (issue.code === 'invalid_union' ? `expected ${types.join(', ')}` : undefined),
});
/** A whole number within limits. */
export const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);

/** The value that a JSON text stands for; a text that is no JSON is returned as it is. */
export function fromJson(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    return value;
  }
}
