// Flink versions as people write them: `1.17`, `1.17.2`, `1.17-SNAPSHOT`, `flink-1.17.2`.

type Release = readonly [major: number, minor: number, patch: number | undefined];

function releaseOf(text: string): Release | undefined {
  const match = /(\d+)\.(\d+)(?:\.(\d+))?/.exec(text);
  if (match === null) return undefined;
  return [Number(match[1]), Number(match[2]), match[3] === undefined ? undefined : Number(match[3])];
}

/** Whether two versions are of the same minor release and, where both say one, of the same patch: 1.17 is like 1.17.2. */
export function sameRelease(a: string, b: string): boolean {
  const [one, other] = [releaseOf(a), releaseOf(b)];
  if (one === undefined || other === undefined) return false;
  return sameMinor(a, b) && (one[2] === undefined || other[2] === undefined || one[2] === other[2]);
}

/** Whether two versions are of the same minor release: 1.17.1 is like 1.17.2. */
export function sameMinor(a: string, b: string): boolean {
  const [one, other] = [releaseOf(a), releaseOf(b)];
  return one !== undefined && other !== undefined && one[0] === other[0] && one[1] === other[1];
}

/** Which of the configured versions a script of `wanted` is planned with: that one, else the newest of its minor release. */
export function chosenVersion(wanted: string | null, configured: readonly string[]): string | undefined {
  if (wanted === null) return undefined;
  const patch = (version: string) => releaseOf(version)?.[2] ?? Number.POSITIVE_INFINITY;
  const alike = configured.filter((version) => sameMinor(wanted, version)).sort((a, b) => patch(b) - patch(a));
  return alike.find((version) => releaseOf(version)?.[2] === releaseOf(wanted)?.[2]) ?? alike[0];
}
