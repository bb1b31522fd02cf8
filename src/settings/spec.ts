// Versions of the specification that a consumer understands: of the core, and of each facet. Pinned for all destinations or for one.
import { z } from 'zod';
import { fromJson } from './values.ts';

/** Published versions of the core up to ours, the oldest first. Job events exist since 2-0-0. */
export const coreVersions = ['1-0-0', '1-0-1', '1-0-2', '1-0-3', '1-0-4', '1-0-5', '2-0-0', '2-0-1', '2-0-2'] as const;

/**
 * Published versions of the facets that we emit, the oldest that can be written first, ours last. `none`: the consumer does not know
 * the facet, and it is left out.
 */
export const facetVersions = {
  jobType: ['2-0-2', '2-0-3'],
  sql: ['1-0-0', '1-0-1', '1-1-0'],
  ownership: ['1-0-0', '1-0-1'],
  documentation: ['1-0-0', '1-0-1'],
  tags: ['1-0-0'],
  sourceCode: ['1-0-0', '1-0-1'],
  sourceCodeLocation: ['1-0-0', '1-0-1'],
  processing_engine: ['1-1-0', '1-1-1'],
  parent: ['1-0-0', '1-0-1', '1-1-0'],
  jobDependencies: ['1-0-0', '1-0-1'],
  errorMessage: ['1-0-0', '1-0-1'],
  schema: ['1-0-0', '1-1-0', '1-1-1'],
  symlinks: ['1-0-0', '1-0-1'],
  columnLineage: ['1-0-0', '1-0-1', '1-0-2', '1-1-0', '1-2-0'],
  dataSource: ['1-0-0', '1-0-1'],
  version: ['1-0-0', '1-0-1'],
  storage: ['1-0-0', '1-0-1'],
  catalog: ['1-0-0'],
  subset: ['1-0-0'],
  lineage: ['1-0-0'],
} as const;
export type PinnedFacet = keyof typeof facetVersions;

const versions = z
  .partialRecord(z.enum(Object.keys(facetVersions) as [PinnedFacet, ...PinnedFacet[]]), z.string())
  .superRefine((pinned, context) => {
    for (const [key, version] of Object.entries(pinned)) {
      const known: readonly string[] = [...facetVersions[key as PinnedFacet], 'none'];
      if (!known.includes(version)) context.addIssue({ code: 'custom', path: [key], message: `one of ${known.join(', ')}` });
    }
  });
const pins = z.strictObject({ core: z.enum(coreVersions).default('2-0-2'), facets: versions.default({}) });
/** What is not named is as we emit it. */
export type SpecPins = z.output<typeof pins>;

/**
 * Releases whose model is known. 1.29: openlineage-java 1.29.0, which Gravitino 1.x parses with; it has neither the root of a parent nor the
 * dialect of a script, nor the facets jobDependencies, catalog, subset and lineage.
 */
export const knownReleases: Readonly<Record<'1.29', SpecPins>> = {
  '1.29': {
    core: '2-0-2',
    facets: { parent: '1-0-1', sql: '1-0-1', jobDependencies: 'none', catalog: 'none', subset: 'none', lineage: 'none' },
  },
};

/** null (`current`): as we emit it; a release; or versions, where what is not named is as we emit it. */
export const specSchema = z.preprocess(
  (value) => (typeof value === 'string' && value.trim().startsWith('{') ? fromJson(value) : value),
  z.union([z.literal('current').transform(() => null), z.literal('1.29').transform((release) => knownReleases[release]), pins], {
    error: 'expected current, 1.29, or {core, facets: {parent: 1-0-1, catalog: none, …}}',
  }),
);
