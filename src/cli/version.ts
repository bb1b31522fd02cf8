// The version of this program, from its package.json, and where the installation lies.
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder that holds dist/ (or src/), sql/, schemas/ and planner/. */
export const installationRoot = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

export const version = (JSON.parse(readFileSync(join(installationRoot, 'package.json'), 'utf8')) as { version: string }).version;
