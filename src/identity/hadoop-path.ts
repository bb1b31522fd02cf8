// org.apache.hadoop.fs.Path(String): how Spark, Iceberg and Flink read a location that stands in an option.
// Unlike a URI the text is literal: `%20`, `?`, `#` and blanks stay as they are.

export interface HadoopPath {
  readonly scheme: string | null;
  readonly authority: string | null;
  /** Slashes collapsed, `.` and `..` resolved, no trailing slash. */
  readonly path: string;
}

/** Reads a location text; undefined where Hadoop throws (nothing but a scheme, or a relative path behind one). */
export function parseHadoopPath(text: string): HadoopPath | undefined {
  if (text === '') return undefined;
  const [, scheme = null, , authority, rest = ''] = /^(?:([^/:]*):)?(\/\/([^/]*))?([\s\S]*)$/.exec(text) ?? [];
  const path = normalize(collapse(rest));
  const named = authority === undefined || authority === '' ? null : authority;
  if (scheme !== null) {
    if (!/^[A-Za-z][A-Za-z0-9+.-]*$/.test(scheme)) return undefined;
    if (named === null && !path.startsWith('/')) return undefined;
  }
  return { scheme, authority: named, path };
}

function collapse(path: string): string {
  const single = path.replace(/\/+/g, '/');
  return single.length > 1 && single.endsWith('/') ? single.slice(0, -1) : single;
}

/** URI.normalize(): `.` goes, `..` takes the segment before it; a leading `..` has nothing to take and stays. */
function normalize(path: string): string {
  const segments: string[] = [];
  const absolute = path.startsWith('/');
  for (const segment of path.split('/').slice(absolute ? 1 : 0)) {
    if (segment === '.') continue;
    const last = segments[segments.length - 1];
    if (segment === '..' && last !== undefined && last !== '..') segments.pop();
    else segments.push(segment);
  }
  return (absolute ? '/' : '') + segments.join('/');
}

/** As `Path.toUri().toString()` prints it, without escapes: one slash where there is no authority. */
export const formatHadoopPath = ({ scheme, authority, path }: HadoopPath): string =>
  (scheme === null ? '' : `${scheme}:`) + (authority === null ? '' : `//${authority}`) + path;
