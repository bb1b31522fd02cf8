// Every warning or error that the program logs can be acted on: it carries a code of the catalogue; the log adds the cure.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { repositoryRoot } from '../support/shared.ts';

const src = join(repositoryRoot, 'src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** The argument list of each call of a level, up to the closing bracket. */
function calls(text: string): string[] {
  return [...text.matchAll(/\blog(?:\.(?:warn|error)|\[[^\n\]]+\])\(/g)].map((match) => {
    let depth = 1;
    let at = (match.index ?? 0) + match[0].length;
    const begin = at;
    for (; depth > 0 && at < text.length; at++) depth += text[at] === '(' ? 1 : text[at] === ')' ? -1 : 0;
    return text.slice(begin, at - 1);
  });
}

/** Said while the program stops, when nobody is left who could cure anything. */
const farewells = ['src/ops/lifecycle.ts', "'failed to stop'"];

it('each has a code', () => {
  const all = files.flatMap((name) => calls(readFileSync(join(src, name), 'utf8')).map((call) => ({ name: `src/${name}`, call })));
  expect(all.length).toBeGreaterThan(12);
  const bare = all
    .filter(({ name, call }) => !farewells.some((farewell) => name === farewell || call.includes(farewell)))
    .filter(({ call }) => !/\bcode\b/.test(call));
  expect(bare).toEqual([]);
});
