import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repositoryRoot } from '../support/shared.ts';

const read = (name: string) => readFileSync(join(repositoryRoot, name), 'utf8');
const stages = read('Dockerfile').split(/^FROM .*$/m);
const copied = [...(stages[1] ?? '').matchAll(/^COPY (.+) \S+$/gm)].flatMap((match) => (match[1] as string).split(' '));
const manifest = JSON.parse(read('package.json')) as { files: string[]; scripts: Record<string, string> };

describe('the Dockerfile', () => {
  it('copies only what is there and not ignored', () => {
    expect(copied.length).toBeGreaterThan(10);
    expect(copied.filter((path) => !existsSync(join(repositoryRoot, path)))).toEqual([]);
    const ignored = read('.dockerignore').trim().split('\n');
    expect(copied.filter((path) => ignored.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)))).toEqual([]);
  });

  it('copies all that the package is made of', () => {
    const made: Record<string, readonly string[]> = {
      dist: ['src', 'tsconfig.json', 'tsconfig.types.json'],
      'planner/lib': ['planner/src', 'planner/pom.xml'],
    };
    const needed = ['package.json', 'package-lock.json', 'scripts', ...manifest.files.flatMap((file) => made[file] ?? [file])];
    expect(needed.filter((path) => !copied.includes(path))).toEqual([]);
  });

  it('runs as nobody in particular', () => {
    expect(stages[2]).toMatch(/^USER 10001:10001$/m);
  });
});
