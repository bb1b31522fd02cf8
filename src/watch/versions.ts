// Which version of a script an earlier run was started with. StreamPark does not record it: it follows from when versions
// were made and built. A wrong version would be a false edge, so what is not certain is not known.

/** One row of t_flink_sql / t_spark_sql. */
export interface ScriptVersion {
  readonly sqlId: string;
  /** Raw time; null where it may not be read. */
  readonly createdAt: string | null;
}

/** One build, as the backup table keeps it; a build that went back to an older version names none. */
export interface Build {
  readonly sqlId: string | null;
  readonly at: string | null;
}

/**
 * The id of the version that a run used which was asked for at `startedAt` (raw time of the same console).
 * @returns null when it is not known
 */
export function versionAt(startedAt: string | null, versions: readonly ScriptVersion[], builds: readonly Build[] | null): string | null {
  const [only] = versions;
  // Whatever was deleted since was never released: a released version stays until the application goes.
  if (only !== undefined && versions.length === 1) return only.sqlId;
  if (startedAt === null || versions.some(({ createdAt }) => createdAt === null)) return null;
  const made = versions.filter(({ createdAt }) => createdAt !== null && createdAt <= startedAt);
  if (made.length === 1) return made[0]?.sqlId ?? null;
  if (builds === null) return null;
  // The last build before the start put its version in force, now or with that start.
  const built = builds.filter(({ at }) => at !== null && at <= startedAt).at(-1);
  const sqlId = built?.sqlId ?? null;
  return made.some((version) => version.sqlId === sqlId) ? sqlId : null;
}
