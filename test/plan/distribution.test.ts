import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { findFlink, flinkOf, javaWorker } from '../../src/plan/plan.ts';

const root = mkdtempSync(join(tmpdir(), 'spl-flink-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A folder with these empty files. */
function folder(name: string, ...files: string[]): string {
  for (const file of files) {
    mkdirSync(join(root, name, file, '..'), { recursive: true });
    writeFileSync(join(root, name, file), '');
  }
  return join(root, name);
}

const distribution = folder(
  'flink-1.17.2',
  'lib/flink-dist-1.17.2.jar',
  'lib/flink-table-api-java-uber-1.17.2.jar',
  'lib/flink-table-planner-loader-1.17.2.jar',
  'lib/flink-table-runtime-1.17.2.jar',
  'lib/flink-cep-1.17.2.jar',
  'lib/flink-scala_2.12-1.17.2.jar',
  'lib/flink-sql-connector-kafka-1.17.2.jar',
  'lib/mysql-connector-j-8.0.33.jar',
  'lib/log4j-core-2.17.1.jar',
  'lib/flink-connector-files-1.17.2.jar',
  'opt/flink-table-planner_2.12-1.17.2.jar',
  'opt/flink-sql-gateway-1.17.2.jar',
);

describe('the planner jars of a folder', () => {
  it('are those of Flink in a distribution, with the plain planner and no connector', () => {
    const found = findFlink(distribution);
    expect(found.version).toBe('1.17.2');
    expect(found.jars.map((jar) => basename(jar))).toEqual([
      'flink-cep-1.17.2.jar',
      'flink-dist-1.17.2.jar',
      'flink-scala_2.12-1.17.2.jar',
      'flink-table-api-java-uber-1.17.2.jar',
      'flink-table-runtime-1.17.2.jar',
      'flink-table-planner_2.12-1.17.2.jar',
    ]);
  });

  it('are found where the planners have changed places', () => {
    const swapped = folder(
      'swapped',
      'lib/flink-dist-1.20.1.jar',
      'lib/flink-table-planner_2.12-1.20.1.jar',
      'opt/flink-table-planner-loader-1.20.1.jar',
    );
    expect(findFlink(swapped).jars.map((jar) => basename(jar))).toEqual(['flink-dist-1.20.1.jar', 'flink-table-planner_2.12-1.20.1.jar']);
  });

  it('come with the loader where the planner is only inside of it', () => {
    const slim = folder('slim', 'lib/flink-dist-1.17.2.jar', 'lib/flink-table-planner-loader-1.17.2.jar');
    expect(findFlink(slim)).toEqual({
      version: '1.17.2',
      jars: [join(slim, 'lib/flink-dist-1.17.2.jar')],
      loader: join(slim, 'lib/flink-table-planner-loader-1.17.2.jar'),
    });
    const worker = folder('slim-worker', 'worker.jar');
    const source = javaWorker({ java: undefined, heap: '256m', lib: worker, env: {}, flink: { version: '1.17', folder: slim } });
    expect(() => source.command()).toThrow(
      'flink-table-planner-loader-1.17.2.jar does not give its flink-table-planner.jar: it is no ZIP file',
    );
  });

  it('are all of a folder of jars', () => {
    const jars = folder('jars', 'flink-table-planner_2.12-2.0.0.jar', 'scala-library-2.12.20.jar', 'notes.txt');
    expect(findFlink(jars).jars.map((jar) => basename(jar))).toEqual(['flink-table-planner_2.12-2.0.0.jar', 'scala-library-2.12.20.jar']);
  });

  it('are missing with a reason', () => {
    expect(() => findFlink('/nowhere')).toThrow('there is no flink-table-planner_2.12-<version>.jar in /nowhere');
    const without = folder('without', 'lib/flink-dist-1.17.2.jar', 'lib/flink-table-planner-spi-1.17.2.jar');
    expect(() => findFlink(without)).toThrow(`in ${join(without, 'opt')} or ${join(without, 'lib')}`);
    const two = folder('two', 'flink-table-planner_2.12-2.0.0.jar', 'flink-table-planner_2.12-1.20.1.jar');
    expect(() => findFlink(two)).toThrow('has several planners');
    expect(() => flinkOf({ version: '1.18', folder: distribution })).toThrow('holds the planner of Flink 1.17.2, not of 1.18');
    expect(() => flinkOf({ version: '1.17.1', folder: distribution })).toThrow('not of 1.17.1');
    expect(flinkOf({ version: '1.17', folder: distribution }).version).toBe('1.17.2');
  });
});

describe('the worker of another version', () => {
  const lib = folder(
    'own',
    'worker.jar',
    'worker.jsa',
    'scala-library-2.12.20.jar',
    'slf4j-nop-1.7.36.jar',
    'flink-table-planner_2.12-2.3.0.jar',
  );
  const options = { java: undefined, heap: '256m', lib, env: {} };

  it('is our jar with the jars of that version, without the archive of the bundled one', () => {
    const { args, fallback } = javaWorker({ ...options, flink: { version: '1.17', folder: distribution } }).command();
    const names = args[args.indexOf('-cp') + 1]?.split(':').map((jar) => basename(jar)) ?? [];
    expect(names.slice(0, 2).sort()).toEqual(['slf4j-nop-1.7.36.jar', 'worker.jar']);
    expect(names).toContain('flink-table-planner_2.12-1.17.2.jar');
    expect(names).not.toContain('flink-table-planner_2.12-2.3.0.jar');
    expect(names.at(-1)).toBe('scala-library-2.12.20.jar');
    expect(args.join(' ')).not.toContain('SharedArchiveFile');
    expect(fallback).toBeUndefined();
  });

  it('has a build of its own', () => {
    const other = folder('other', 'flink-table-planner_2.12-1.17.1.jar');
    const builds = [
      options,
      { ...options, flink: { version: '1.17', folder: distribution } },
      { ...options, flink: { version: '1.17', folder: other } },
    ];
    expect(new Set(builds.map((each) => javaWorker(each).build())).size).toBe(3);
  });
});
