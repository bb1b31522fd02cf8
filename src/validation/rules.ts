// The rules that events are held against. docs/validate.md lists them; a test compares.

/** error: some consumer refuses or misreads the event, or the specification forbids it. warning: worth a look. */
export type Level = 'error' | 'warning';

export const rules = {
  json: { level: 'error', meaning: 'the line is one JSON object in UTF-8, at most 64 MiB long' },
  schema: { level: 'error', meaning: 'the event, and each facet whose schema is among those given, is valid' },
  'schema-unknown': {
    level: 'warning',
    meaning: 'the schema that a facet names in `_schemaURL` is not among those given, so the facet was not checked',
  },
  'cycle-start': { level: 'error', meaning: 'a run ends only after its START' },
  'cycle-early': { level: 'warning', meaning: 'a run begins with START' },
  'cycle-ended': {
    level: 'error',
    meaning: 'nothing comes after COMPLETE, FAIL or ABORT: consumers that take the last event for the state would reopen the run',
  },
  'cycle-again': { level: 'warning', meaning: 'a run has one START, and no event comes twice (delivery at least once may double one)' },
  'cycle-job': { level: 'error', meaning: 'a run belongs to one job' },
  'cycle-time': { level: 'warning', meaning: 'the times of a run never go back' },
  'cycle-bare': {
    level: 'warning',
    meaning: 'later events of a run name its datasets again: consumers read an empty list as the end of an edge',
  },
  'name-blank': {
    level: 'error',
    meaning: 'namespaces and names are not empty, do not begin or end with white space and hold no control character',
  },
  'name-secret': { level: 'error', meaning: 'a namespace holds no user and password' },
  'name-unknown': { level: 'warning', meaning: 'the namespace of a dataset follows a known scheme' },
  'name-form': {
    level: 'warning',
    meaning: 'namespace and name have the form of their scheme: an authority without a path, and as many parts as the naming rules say',
  },
  limit: { level: 'warning', meaning: 'a known consumer takes the event whole, within its limits' },
} as const satisfies Record<string, { readonly level: Level; readonly meaning: string }>;

export type Rule = keyof typeof rules;

/** One thing found. `path` is a JSON Pointer into the event, empty for the event as a whole. */
export interface Finding {
  readonly rule: Rule;
  readonly level: Level;
  readonly path: string;
  readonly message: string;
  /** Whose limit it is; only with the rule `limit`. */
  readonly consumer?: string;
}

export const finding = (rule: Rule, path: string, message: string): Finding => ({ rule, level: rules[rule].level, path, message });

/** A step of a JSON Pointer (RFC 6901). */
export const step = (key: string | number): string => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
