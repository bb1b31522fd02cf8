// The names of datasets as the settings want them; what is looked up outside and fails is a lasting condition.
import type { Extension } from '../extension/extension.ts';
import { createNames, type Names } from '../names/names.ts';
import type { Conditions } from '../ops/ops.ts';
import type { Settings } from '../settings/settings.ts';

export interface NamesParts {
  readonly settings: Settings;
  readonly extension?: Extension | undefined;
  readonly conditions: Conditions;
  readonly now: () => number;
}

/** Opens them; to be closed by the caller. */
export const namesOf = ({ settings, extension, now, conditions }: NamesParts): Names =>
  createNames(settings.identity, {
    now,
    extension,
    notify: (code, subject, problem) =>
      problem === undefined ? conditions.clear(code, subject) : conditions.raise(code, subject, `${subject}: ${problem}`),
  });
