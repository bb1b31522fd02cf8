// Stage plan: stored SQL + plan inputs -> PlannedScript, through Flink's own planner in a warm JVM worker.
export { recordArchive } from './archive.ts';
export { configProperties, environmentProperties, planSettings } from './config.ts';
export { decodeStored } from './decode.ts';
export { type FlinkFolder, findFlink, flinkOf } from './distribution.ts';
export { type PrepareLimits, prepareScript, prepareText, type TextInput } from './inputs.ts';
export { type JavaOptions, javaWorker, plannerLib, sparkLib } from './java.ts';
export { planKey } from './key.ts';
export { storedPositions } from './locate.ts';
export { maskText } from './mask.ts';
export { createPlanner, type Planner, type PlannerOptions, type VersionState } from './planner.ts';
export { createPlanners, type PlannersOptions, sparkReader, type VersionSource } from './planners.ts';
export type { Position } from './positions.ts';
export { type FoundFiles, localFiles, type PlannerSurroundings, type Prelude, surroundingsOf } from './prelude.ts';
export type {
  CatalogFacts,
  ColumnFacts,
  ColumnLineage,
  ColumnUse,
  DeclaredFunction,
  ExternalTable,
  InputRole,
  PlannedInsert,
  PlannedScript,
  PreludeStatement,
  PreparedScript,
  ScriptStatement,
  SourceColumn,
  TableFacts,
  TablePath,
  Tier,
} from './script.ts';
export { findSecrets, isSecretKey } from './secrets.ts';
export { type Origin, type Replaced, replaceVariables } from './variables.ts';
export type { PlannerEvent, PlannerState, WorkerSource } from './worker.ts';
