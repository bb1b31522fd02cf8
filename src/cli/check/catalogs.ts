// Checks of the external catalogs: each answers. One that does not costs columns, nothing else, so it is a warning.
import { probeCatalog, Unreadable } from '../../catalogs/catalogs.ts';
import { type CatalogSettings, catalogAddress } from '../../settings/settings.ts';
import type { Check } from './context.ts';
import { type CheckResult, coded, ok } from './result.ts';

/** All side by side, each within its own time limit. */
export const checkCatalogs: Check = ({ settings }) => Promise.all(settings.catalogs.map(probe));

async function probe(entry: CatalogSettings): Promise<CheckResult> {
  const what = `catalog: ${entry.catalog}${entry.team === undefined ? '' : ` of ${entry.team}`}`;
  const where = `${entry.type} at ${catalogAddress(entry)}`;
  if (entry.type === 'jdbc' && entry.credentials === 'script') return ok(what, `${where}, with the user of the script; not probed`);
  try {
    await probeCatalog(entry, AbortSignal.timeout(entry.timeout));
    return ok(what, `${where} answers`);
  } catch (error) {
    const reason = error instanceof Unreadable ? error.message : `no answer within ${entry.timeout} ms`;
    return coded('warn', what, 'CATALOG_UNREADABLE', `${where}: ${reason}`, 'Correct the entry in `catalogs`, or start the catalog.');
  }
}
