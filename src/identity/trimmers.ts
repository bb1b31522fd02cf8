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

// Looks at the end of the text only, so that a path of thousands of partition directories stays cheap.
function cutOnce(name: string): string | undefined {
  let end = name.length;
  while (name[end - 1] === '/') end--;
  // Where the last three segments begin, the last one first; a leading slash parts nothing.
  const slashes: number[] = [];
  for (let at = name.lastIndexOf('/', end - 1); at > 0 && slashes.length < 3; at = name.lastIndexOf('/', at - 1)) slashes.push(at);
  const joined = (at: number): string => name.slice(at, end).replaceAll('/', '');
  const [one, two, three] = slashes;
  if (one !== undefined && [isDate, isKeyValue, isYearMonth].some((test) => test(joined(one)))) return name.slice(0, one);
  if (two !== undefined && /^\d{6}$/.test(joined(two)) && isYearMonth(joined(two))) return name.slice(0, two);
  if (three !== undefined && /^\d{8}$/.test(joined(three)) && isDate(joined(three))) return name.slice(0, three);
  return undefined;
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
