// Stage catalogs: tables that a script uses without declaring them, read from the external catalogs of the settings.
export { probeCatalog } from './open.ts';
export { withCatalogs } from './planner.ts';
export { Unreadable } from './table.ts';
