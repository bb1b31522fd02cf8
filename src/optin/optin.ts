// The opt-in of applications, and the only code that writes StreamPark's tables: one column and four rows of t_setting.
// Everything else in this program reads them.
export { type OptInChange, type OptInTarget, optedIn, setOptIn, unusable } from './applications.ts';
export { type ApplyOptions, apply, defaultApply, inspect, inspectTables } from './apply.ts';
export { kindOf, OptInError, oneLine, selectCure } from './failures.ts';
export type { ApplicationTables, Footprint, TableFootprint } from './footprint.ts';
export { type GrantFacts, readGrantFacts } from './grantfacts.ts';
export { type GrantSection, grantScript, grantSections, migrateUser, runUser, viewSections } from './grants.ts';
export { readColumns } from './reads.ts';
export { planDown, planUp, type Statement } from './statements.ts';
