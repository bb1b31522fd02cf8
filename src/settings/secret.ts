// A secret that lives in a file: mounted by Docker, Kubernetes or systemd, and replaced there while the program runs.
import { readFileSync } from 'node:fs';

/**
 * The content of the file without the white space around it.
 * @throws what the file system throws
 */
export const readSecret = (path: string): string => readFileSync(path, 'utf8').trim();
