// Jars with all that they need, fetched through Maven once into a folder that git ignores.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repositoryRoot } from './shared.ts';

/**
 * The folder with the jars of `artifacts` (`group:artifact:version`) and of what they depend on.
 * @param name of the folder below build/jars; stands for exactly these artifacts
 */
export async function mavenJars(name: string, artifacts: readonly string[]): Promise<string> {
  const folder = join(repositoryRoot, 'build', 'jars', name);
  if (existsSync(folder)) return folder;
  const fresh = `${folder}.new`;
  rmSync(fresh, { recursive: true, force: true });
  mkdirSync(fresh, { recursive: true });
  const dependencies = artifacts.map((artifact) => {
    const [group, id, version] = artifact.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${id}</artifactId><version>${version}</version></dependency>`;
  });
  const pom = join(fresh, 'pom.xml');
  writeFileSync(
    pom,
    `<project><modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>jars</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>${dependencies.join('')}</dependencies></project>`,
  );
  const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
  await promisify(execFile)('mvn', ['-q', '-B', '-f', pom, goal, '-DincludeScope=runtime', `-DoutputDirectory=${fresh}`], {
    maxBuffer: 2 ** 26,
  });
  renameSync(fresh, folder);
  return folder;
}
