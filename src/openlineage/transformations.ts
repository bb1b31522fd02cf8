// How a column takes part in another one, as both lineage facets say it.
import type { ColumnOrigin } from '../identity/identity.ts';
import { cleanText } from './text.ts';

export interface Transformation {
  readonly type: string;
  readonly subtype: string;
  readonly description?: string;
  readonly masking: boolean;
}

/**
 * One use of a source column.
 * @param expression what the sink column is computed by; it describes values that are computed, not those that only decide
 */
export function transformationOf({ type, subtype, masking }: ColumnOrigin, expression: string | undefined): Transformation {
  const computed = type === 'DIRECT' && subtype !== 'IDENTITY' && expression !== undefined;
  return { type, subtype, ...(computed && { description: cleanText(expression) }), masking: masking === true };
}
