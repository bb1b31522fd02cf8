// Stage watch: narrow rows of one consistent read + the tracker of each application -> changes.
// Knows StreamPark's columns, states and versions; no SQL scripts are interpreted and no http is spoken here.

export type { Attempt, Limits, LostRun, OpenRun, Provisional, StartMark, Tracker } from './attempt.ts';
export * from './changes.ts';
export {
  appColumns,
  appTables,
  detailColumns,
  historyColumns,
  logColumns,
  logTables,
  optInColumn,
  projectColumns,
  settingView,
  sideTables,
  variableView,
} from './columns.ts';
export type { ToInstant } from './evidence.ts';
export { sourceError } from './failure.ts';
export type { Features } from './features.ts';
export { type Fingerprint, sameSource } from './fingerprint.ts';
export { earlierRuns, type FirstKnown, lifeOf, type Past, type PastRun } from './history.ts';
export { type LogCursor, type PollMemory, pollMemory } from './memory.ts';
export { freshTimes, observations } from './observe.ts';
export type { PastRead } from './pasts.ts';
export type { Polled, PollRead, PollResult, PollSkipped } from './poll.ts';
export { type AppProperties, propertyColumns } from './properties.ts';
export { flinkFormat, type PropertyFormat, sparkFormat } from './property-formats.ts';
export * from './rows.ts';
export type { AppFilter, ListedApp, SubmitConf } from './scripts.ts';
export { openSource, ping, type Source, sourceOf } from './source.ts';
export { clusterIsLost, meaningOf, type StateMeaning } from './states.ts';
export { deadline, hasOpenRun, type Observation, type TrackContext, type Tracked, track } from './tracker.ts';
export { type Build, type ScriptVersion, versionAt } from './versions.ts';
export { type LearnedZone, learnZone, parseZone, type Zone, type ZoneClock, zoneClock } from './zone.ts';
