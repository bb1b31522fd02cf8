// The reader for an entry of the settings.
import type { CatalogSettings } from '../settings/settings.ts';
import { filesReader } from './files.ts';
import { icebergRestReader } from './iceberg-rest.ts';
import { jdbcReader } from './jdbc.ts';
import { paimonRestReader } from './paimon-rest.ts';
import type { CatalogReader, Definition } from './table.ts';

/** Connects at the first question. @throws Unreadable where there is nothing to connect to */
export function openCatalog(entry: CatalogSettings, definition: Definition): CatalogReader {
  switch (entry.type) {
    case 'jdbc':
      return jdbcReader(entry, definition);
    case 'iceberg-rest':
      return icebergRestReader(entry, definition);
    case 'paimon-rest':
      return paimonRestReader(entry, definition);
    case 'iceberg-files':
    case 'paimon-files':
      return filesReader(entry);
  }
}

/** Whether the catalog answers. @throws Unreadable, or the signal's reason */
export async function probeCatalog(entry: CatalogSettings, signal: AbortSignal): Promise<void> {
  const reader = openCatalog(entry, undefined);
  try {
    await reader.probe(signal);
  } finally {
    reader.close();
  }
}
