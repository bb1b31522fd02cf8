// Storage locations -> dataset names as openlineage-java's FilesystemDatasetUtils gives them, with Spark's partition
// trimmers on top. Nothing is lower-cased; object stores lose the leading slash, all other schemes keep it.
import { type HadoopPath, parseHadoopPath } from './hadoop-path.ts';
import { parseJavaUri } from './java/uri.ts';
import { trimPartitions } from './trimmers.ts';
import { cutPassword } from './user-info.ts';

export interface Location {
  readonly namespace: string;
  /** Without partition directories. */
  readonly name: string;
  /** With them. */
  readonly fullName: string;
}

/** Name of the table stored at `location` (a Hadoop path string); undefined when it names no place. */
export function locate(location: string): Location | undefined {
  const parsed = parseHadoopPath(cutPassword(location));
  const place = parsed === undefined ? undefined : nameLocation(parsed);
  return place === undefined ? undefined : { namespace: place.namespace, name: trimPartitions(place.name), fullName: place.name };
}

/** FilesystemDatasetUtils.fromLocation: undefined for an object store without a bucket. */
export function nameLocation(place: HadoopPath): { namespace: string; name: string } | undefined {
  const { scheme, authority } = place;
  const path = place.path.replace(/\/+$/, '');
  if (scheme === null || scheme === 'file') return { namespace: 'file', name: path === '' ? '/' : path };
  const store = objectStore(scheme);
  if (store === undefined) return { namespace: authority === null ? scheme : `${scheme}://${authority}`, name: path === '' ? '/' : path };
  if (authority === null) return undefined;
  const key = path.replace(/^\/+/, '');
  return { namespace: `${store}://${authority}`, name: key === '' ? '/' : key };
}

/**
 * FilesystemDatasetUtils.fromLocationAndName, used for symlinks: the namespace is the whole location (a URI, a warehouse
 * say) with its path, the name is given. Undefined where the text is no URI, or an object store without a bucket.
 */
export function nameWithin(location: string, name: string): { namespace: string; name: string } | undefined {
  const uri = parseJavaUri(location);
  if (uri === undefined) return undefined;
  const bare = (text: string): string => text.replace(/\/+$/, '').replace(/:$/, '');
  const tail = name.replace(/\/+$/, '') || '/';
  if (uri.scheme === null || uri.scheme === 'file') return { namespace: bare(`file:${uri.path ?? ''}`), name: tail };
  const store = objectStore(uri.scheme);
  if (store === undefined) return { namespace: bare(location), name: tail };
  if (uri.rawAuthority === null) return undefined;
  return { namespace: bare(`${store}://${uri.rawAuthority}${uri.rawPath ?? ''}`), name: tail.replace(/^\/+/, '') || '/' };
}

/** The canonical scheme of an object store; the tests of the official code are case-sensitive prefixes. */
function objectStore(scheme: string): string | undefined {
  if (scheme.startsWith('s3')) return 's3';
  if (scheme.startsWith('gs')) return 'gs';
  if (scheme.startsWith('abfs')) return 'abfss';
  if (scheme.startsWith('wasb')) return 'wasbs';
  return undefined;
}
