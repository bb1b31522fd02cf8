// Partition directories at the end of a path are no part of a table's name: the four trimmers that openlineage-spark has
// on by default (client/java, dataset/partition/trimmer), repeated until none applies. Their surprises are kept: days
// 1-31 of any month are dates, and the last two or three segments are joined before they are read as a date.

const dates: readonly RegExp[] = [
  /(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})/g,
  /(?<day>\d{2})\.(?<month>\d{2})\.(?<year>\d{4})/g,
  /(?<year>\d{4})(?<month>\d{2})(?<day>\d{2})/g,
];

/** Cuts trailing partition segments off a dataset name; the last remaining segment is never cut. */
export function trimPartitions(name: string): string {
  let trimmed = name;
  for (let next = cutOnce(trimmed); next !== undefined; next = cutOnce(trimmed)) trimmed = next;
  return trimmed;
}

function cutOnce(name: string): string | undefined {
  const body = name.replace(/\/+$/, '');
  const segments = body.replace(/^\//, '').split('/');
  const last = segments[segments.length - 1] ?? '';
  if (segments.length >= 2 && (isDate(last) || isKeyValue(last) || isYearMonth(last))) return without(body, 1);
  if (segments.length >= 3 && /^\d{6}$/.test(joined(segments, 2)) && isYearMonth(joined(segments, 2))) return without(body, 2);
  if (segments.length >= 4 && /^\d{8}$/.test(joined(segments, 3)) && isDate(joined(segments, 3))) return without(body, 3);
  return undefined;
}

const joined = (segments: readonly string[], count: number): string => segments.slice(-count).join('');

function without(body: string, count: number): string {
  let rest = body;
  for (let cut = 0; cut < count; cut++) rest = rest.slice(0, Math.max(0, rest.lastIndexOf('/')));
  return rest;
}

const isKeyValue = (segment: string): boolean => segment.split('=').length === 2;

const isYearMonth = (segment: string): boolean => {
  const [, year, month] = /^(\d{4})-?(\d{2})$/.exec(segment) ?? [];
  return year !== undefined && month !== undefined && isReal(year, month, '01');
};

/** A valid date somewhere, and nothing beside it than what times are written with. */
const isDate = (segment: string): boolean =>
  /^[\dTZ :.-]+$/.test(segment) &&
  dates.some((pattern) =>
    [...segment.matchAll(pattern)].some(({ groups }) => isReal(groups?.['year'] ?? '', groups?.['month'] ?? '', groups?.['day'] ?? '')),
  );

const isReal = (year: string, month: string, day: string): boolean =>
  Number(year) >= 1 && Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 && Number(day) <= 31;
