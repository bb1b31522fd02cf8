// Values in arguments and pipeline files that must not be shown.
import { isSecretKey } from '../plan/plan.ts';
import type { Program } from './actions.ts';
import { splitArguments } from './arguments.ts';
import { readDefinition } from './definition.ts';

/** Values of secret-like keys: `--password x`, `--mysql_conf password=x`, `password: x` in a pipeline file. */
export function programSecrets(program: Program): string[] {
  const found = new Set<string>();
  const add = (key: string, value: string) => {
    if (isSecretKey(key) && !/^(?:true|false|\d|)$/i.test(value.trim())) found.add(value);
  };
  const words = splitArguments(program.args);
  words.forEach((word, at) => {
    const equals = word.indexOf('=');
    const key = equals < 0 ? word : word.slice(0, equals);
    if (equals >= 0) add(key, word.slice(equals + 1));
    else if (word.startsWith('-')) add(key, words[at + 1] ?? '');
  });
  for (const text of [program.config ?? '', ...words]) {
    const definition = readDefinition(text);
    if (definition !== undefined) walk(definition.whole, add);
  }
  return [...found];
}

function walk(value: unknown, add: (key: string, value: string) => void): void {
  if (Array.isArray(value)) for (const item of value) walk(item, add);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) {
      if (typeof inner === 'object') walk(inner, add);
      else add(key, String(inner));
    }
  }
}
