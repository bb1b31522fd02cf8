import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { javaWorker, plannerLib } from '../../src/plan/plan.ts';
import { repositoryRoot } from '../support/shared.ts';

const lib = mkdtempSync(join(tmpdir(), 'spl-lib-'));
afterAll(() => rmSync(lib, { recursive: true }));

const source = (env: Record<string, string> = {}, java?: string) => javaWorker({ java, heap: '123m', lib, env });

describe('javaWorker', () => {
  it('knows the folder of the jars', () => {
    expect(plannerLib).toBe(join(repositoryRoot, 'planner', 'lib'));
  });

  it('says which jar is missing', () => {
    expect(source().build()).toBe('missing');
    expect(() => source().command()).toThrow(join(lib, 'worker.jar'));
  });

  it('names the build by what is in the jars folder', () => {
    writeFileSync(join(lib, 'worker.jar'), 'a');
    const first = source().build();
    expect(first).toMatch(/^[0-9a-f]{16}$/);
    writeFileSync(join(lib, 'flink-2.3.0.jar'), '');
    const second = source().build();
    const kept = source();
    kept.build();
    writeFileSync(join(lib, 'worker.jar'), 'b');
    expect(new Set([first, second, source().build()]).size).toBe(3);
    expect(kept.build()).toBe(second);
    kept.command();
    expect(kept.build()).toBe(source().build());
  });

  it('passes flags and hides the environment', () => {
    const { file, args, env } = source({ PATH: '/bin', JAVA_HOME: '/jdk', STREAMPARK_LINEAGE_SOURCE_URL: 'mysql://u:p@h' }).command();
    expect(file).toBe('/jdk/bin/java');
    expect(args.slice(0, 3)).toEqual(['-Xmx123m', '-XX:MaxNewSize=32m', '-Xss32m']);
    const jars = ['flink-2.3.0.jar', 'worker.jar'].map((name) => join(lib, name)).join(delimiter);
    expect(args.slice(-4)).toEqual(['-cp', jars, 'org.streampark.lineage.planner.Main', '2']);
    expect(args.join(' ')).not.toContain('SharedArchiveFile');
    expect(env).toEqual({ PATH: '/bin', LANG: 'C.UTF-8' });
    expect(source({ PATH: '/bin' }).command().file).toBe('java');
    expect(source({ JAVA_HOME: '/jdk' }, '/own/java').command().file).toBe('/own/java');
  });

  it('uses the class-data archive when it is there', () => {
    writeFileSync(join(lib, 'worker.jsa'), '');
    const { args, fallback } = source().command();
    expect(args).toContain(`-XX:SharedArchiveFile=${join(lib, 'worker.jsa')}`);
    expect(fallback?.args).toEqual(args.filter((argument) => !argument.startsWith('-XX:SharedArchiveFile')));
    expect(fallback?.fallback).toBeUndefined();
  });
});
