// What is known of each backend: its path, the Accept header it takes, where it would offer batches, and whether its 2xx
// must be read. Read in their code or tried against them; docs/transports.md says which.
import type { Preset } from '../settings/settings.ts';

export interface Backend {
  /** Path below the url. */
  readonly endpoint: string;
  readonly accept: string;
  /** Where and in which form several events may be posted at once, should the server offer it. */
  readonly batch?: { readonly suffix: string; readonly form: 'array' | 'events' };
  /** The body of a 2xx tells what became of the event. */
  readonly speaks?: 'openmetadata' | 'egeria';
  /** Kinds of events it makes something of. */
  readonly events: 'run' | 'both';
}

const json = 'application/json';

export const backends: Readonly<Record<Preset, Backend>> = {
  // Gravitino rewrites an Accept without its own type; some builds then refuse the request, so both types are named.
  gravitino: { endpoint: '/api/lineage', accept: 'application/vnd.gravitino.v1+json, application/json', events: 'run' },
  // Job events set the edges of a streaming job whatever was there before.
  marquez: { endpoint: '/api/v1/lineage', accept: json, events: 'both' },
  openmetadata: {
    endpoint: '/api/v1/openlineage/lineage',
    accept: json,
    batch: { suffix: '/batch', form: 'events' },
    speaks: 'openmetadata',
    events: 'run',
  },
  datahub: { endpoint: '/openapi/openlineage/api/v1/lineage', accept: json, events: 'run' },
  // Below the url of a server: https://host:9443/servers/NAME.
  egeria: { endpoint: '/open-metadata/integration-daemon/publish-open-lineage-event', accept: json, speaks: 'egeria', events: 'run' },
  // The specification's OpenAPI document has POST /lineage/batch with an array; few servers do.
  openlineage: { endpoint: '/api/v1/lineage', accept: json, batch: { suffix: '/batch', form: 'array' }, events: 'run' },
};
