// The command line: what the documents and the cures tell people to type is accepted, and what is mistyped is answered with the way out.

import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { build, main } from '../../src/cli/cli.ts';
import { errorCatalogue } from '../../src/errors/errors.ts';
import { repositoryRoot } from '../support/shared.ts';

const read = (name: string) => readFileSync(join(repositoryRoot, name), 'utf8');
const pages = readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
  .concat('README.md');

/** The program with commands that do nothing. */
function silent(): Command {
  const program = build({}, () => undefined);
  for (const command of [program, ...program.commands]) {
    command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined });
    if (command !== program) command.action(() => undefined);
  }
  return program;
}

const names = silent().commands.map((command) => command.name());
const actions: Readonly<Record<string, readonly string[]>> = {
  apps: ['list', 'enable', 'disable'],
  injection: ['preview', 'status', 'revert'],
  migrate: ['status', 'up', 'down', 'state'],
  outbox: ['stats', 'list', 'replay', 'purge'],
};
const targets = ['streampark', 'state'];
const replaySelectors = ['--run', '--event', '--dead'];

/** What is wrong with a command; undefined: nothing. */
function refusal(line: string): string | undefined {
  const words = line.replace('--app …', '--app flink:1').replaceAll('…', '').replace(/<id>/g, '1').split(/\s+/).filter(Boolean);
  const [name = '', action] = words;
  // a command or an option that is only named
  if (words.length === 1 && names.includes(name)) return undefined;
  if (words.at(-1) === '--app') words.push('flink:1');
  if (words.at(-1) === '--listen') words.push('127.0.0.1:5000');
  try {
    silent().parse(words, { from: 'user' });
  } catch (error) {
    return (error as Error).message;
  }
  if (action !== undefined && !action.startsWith('-') && actions[name]?.includes(action) === false) return `no action ${action}`;
  if (name === 'outbox' && action === 'replay' && !replaySelectors.some((selector) => words.includes(selector))) return 'replays nothing';
  const at = words.indexOf('--target');
  if (at >= 0 && !targets.includes(words[at + 1] ?? '')) return `no target ${words[at + 1]}`;
  if (name === 'migrate' && (action === 'up' || action === 'down') && at < 0 && words.length > 2) return 'no target';
  return undefined;
}

/** The alternatives of `apps enable|disable`, each as a command; one that needs more is only named by such a list. */
function alternatives(line: string): string[] {
  if (!line.includes('|')) return [line];
  const words = line.replaceAll('\\|', '|').split(/\s+/);
  const all = words.reduce<string[]>(
    (lines, word) => lines.flatMap((before) => word.split('|').map((one) => `${before} ${one}`.trim())),
    [''],
  );
  return all.filter((command) => command !== 'outbox replay');
}

/** Commands in backticks, and those of the lines of code. */
function commandsOf(text: string): string[] {
  const spans = [...text.matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span.replace(/^(?:streampark-lineage|node dist\/main\.js) /, ''));
  const typed = [...text.matchAll(/^(?: {4}|- ?|)(?:.*[ |])?(?:streampark-lineage|\S*dist\/main\.js) ([a-z].*)$/gm)]
    .filter(
      ([line]) =>
        line.startsWith('    ') && !/kubectl -n|npm |mkdir|useradd|docker (?:build|compose up)/.test(line.replace(/ -- node.*/, '')),
    )
    .map(([, rest = '']) => rest.replace(/\s+(?:#|&&|\|).*$/, '').replace(/\s{2,}.*$/, ''));
  return [...spans, ...typed].filter((line) => names.includes(line.split(/[ ]/)[0] ?? '')).flatMap(alternatives);
}

describe('what people are told to type', () => {
  it.each(Object.entries(errorCatalogue))('the cure of %s', (_, { cure }) => {
    const commands = commandsOf(cure);
    expect(commands.map((line) => [line, refusal(line)]).filter(([, wrong]) => wrong !== undefined)).toEqual([]);
    const named = [...cure.matchAll(/`streampark-lineage ([a-z-]+)/g)].map(([, name]) => name as string);
    expect(named.filter((name) => !name.startsWith('--') && !names.includes(name))).toEqual([]);
  });

  it.each(pages)('the commands of %s', (page) => {
    const wrong = commandsOf(read(page)).map((line) => [line, refusal(line)]);
    expect(wrong.filter(([, why]) => why !== undefined)).toEqual([]);
  });

  it('is looked for in all forms, and what is wrong is found', () => {
    expect(commandsOf(read('README.md')).length).toBeGreaterThan(25);
    expect(commandsOf(read('docs/backfill.md'))).toContain('backfill --team shop --since 30d --rate 200');
    for (const line of ['outbox replay', 'outbox frob', 'migrate up --grants', 'migrate up --target both', 'check --nmes'])
      expect(refusal(line), line).toBeDefined();
  });
});

/** The exit code of a command line, and what it says on stderr. */
async function typed(line: string, env: Record<string, string> = {}) {
  const said: string[] = [];
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => said.push(String(text)) > 0);
  const code = await main(line.split(' '), env);
  return { code, said: said.join('') };
}
afterEach(() => void vi.restoreAllMocks());

describe('a mistyped command', () => {
  it.each([
    ['outbox frob', 'outbox frob: the action is stats, list, replay or purge', 'outbox'],
    ['migrate sideways', 'migrate sideways: the action is status, up, down, or state adopt', 'migrate'],
    ['migrate up --grants', 'migrate up: --target is streampark or state', 'migrate'],
    ['validate nofile', 'cannot read nofile (ENOENT)', 'validate'],
    ['backfill --since yesterday', '--since yesterday is neither a duration such as 30d nor a time', 'backfill'],
    ['apps frob', 'apps frob: the action is list, enable or disable', 'apps'],
    ['explain', 'explain needs a file', 'explain'],
  ])('%s is told its help', async (line, message, command) => {
    const { code, said } = await typed(line);
    expect(said).toContain(`USAGE: ${message}`);
    expect(said).toContain(`cure: \`streampark-lineage ${command} --help\` shows how it is used.`);
    expect(code).toBe(2);
  });

  it('may not say where a group begins when there is none', async () => {
    const { code, said } = await typed('relay --listen 127.0.0.1:0 --from latest');
    expect([code, said]).toEqual([2, expect.stringContaining("'--listen <host:port>' cannot be used with option '--from <where>'")]);
  });

  it('is not confused with wrong settings', async () => {
    const { code, said } = await typed('outbox stats', { STREAMPARK_LINEAGE_SOURCE_TIMEZONE: 'Mars/Olympus' });
    expect([code, said]).toEqual([
      2,
      expect.stringContaining('CONFIG_INVALID: sourceTimezone: Mars/Olympus is neither auto, an IANA zone'),
    ]);
    expect(said).toContain('docs/settings.md');
  });
});

describe('a port that is held', () => {
  it('ends the daemon with a code that a unit starts again after', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    const { port } = holder.address() as AddressInfo;
    try {
      const env = { STREAMPARK_LINEAGE_SOURCE_URL: 'postgres://u@127.0.0.1:9/d', STREAMPARK_LINEAGE_HTTP_PORT: String(port) };
      const { code, said } = await typed('run', env);
      expect(said).toContain(`PORT_IN_USE: http.host/http.port: cannot listen on 127.0.0.1:${port} (EADDRINUSE)`);
      expect(said).toContain('STREAMPARK_LINEAGE_HTTP_PORT');
      expect(code).toBe(1);
      expect(read('ops/streampark-lineage.service')).toMatch(/^RestartPreventExitStatus=2 3$/m);
    } finally {
      holder.close();
    }
  });
});
