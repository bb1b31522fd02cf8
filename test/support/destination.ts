// Destinations as a settings file would give them: defaults included.
import { type DestinationSettings, destinationSchema } from '../../src/settings/destinations.ts';

/** Parses one destination; fails the test when it is not valid. */
export function destinationOf<T extends DestinationSettings['type']>(
  given: Readonly<Record<string, unknown>> & { readonly type: T },
): Extract<DestinationSettings, { type: T }> {
  return destinationSchema.parse({ name: 'd', ...given }) as Extract<DestinationSettings, { type: T }>;
}
