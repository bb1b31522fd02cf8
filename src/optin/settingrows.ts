// Our rows of t_setting. StreamPark's console ignores keys it does not know; the rows are only read by this program.
import type { StoredKey } from '../settings/settings.ts';

/** One row of t_setting as `migrate up` writes it; `type` 1 text, 2 boolean. */
export interface SettingRow {
  readonly order: number;
  readonly value: string | null;
  readonly type: 1 | 2;
  readonly description: string;
}

/**
 * The rows, numbered and typed as in PR #4498. Its switch for the official listener is 'true' by default;
 * ours is 'false', because nothing here injects that listener and a console that does would report everything twice.
 */
export const settingRows: Readonly<Record<StoredKey, SettingRow>> = {
  'lineage.gravitino.address': {
    order: 16,
    value: null,
    type: 1,
    description: 'Gravitino server that receives lineage; empty: none is sent',
  },
  'lineage.gravitino.token': { order: 17, value: null, type: 1, description: 'Bearer token for that server' },
  'lineage.gravitino.namespace': { order: 18, value: null, type: 1, description: 'Namespace of the jobs; empty: streampark' },
  'lineage.flink.native.listener.enable': {
    order: 19,
    value: 'false',
    type: 2,
    description: 'Whether the console gives Flink the official OpenLineage listener',
  },
};
