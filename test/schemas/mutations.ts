// Systematic damage to a JSON document: at every place something removed, replaced by each other type, or added.

type Json = unknown;
const isObject = (value: Json): value is Record<string, Json> => typeof value === 'object' && value !== null && !Array.isArray(value);

const replacements: readonly Json[] = [null, 42, 1.5, true, '', 'no date, no uri, no uuid', [], [null], {}, { extra: 1 }];
/** Near misses of the formats in use. */
const nearMisses: readonly string[] = [
  '2026-03-14T09:26:53Z',
  '2026-03-14T09:26:53.589793238+08:00',
  '2026-03-14T09:26:53',
  '2026-02-30T09:26:53Z',
  '2026-03-14',
  'relative/path',
  'urn:a:b',
  'http://a b/',
  '0123456789abcdef0123456789abcdef',
  'f69a6e9b-9bac-3c9a-9cf6-eacb70ecc9a9',
  'OTHER',
  'start',
];

/** All single mutations of a document, each as a document of its own. */
export function* mutations(document: Json): Generator<Json> {
  for (const replacement of replacements) yield replacement;
  if (typeof document === 'string') yield* nearMisses;
  if (Array.isArray(document)) {
    yield [...document, ...document];
    for (const [i, item] of document.entries()) {
      yield document.filter((_, j) => j !== i);
      for (const changed of mutations(item)) yield document.map((other, j) => (j === i ? changed : other));
    }
  }
  if (isObject(document)) {
    yield { ...document, extra: 1 };
    yield { ...document, _deleted: 'yes' };
    for (const [key, value] of Object.entries(document)) {
      const { [key]: _, ...rest } = document;
      yield rest;
      yield { ...rest, [`${key}x`]: value };
      for (const changed of mutations(value)) yield { ...document, [key]: changed };
    }
  }
}
