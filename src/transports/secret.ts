// Secrets that live in files, and what it means when one cannot be had.
import { readFile } from 'node:fs/promises';
import type { SendResult } from '../outbox/outbox.ts';

/** There are no credentials to be had now; `result` says whose fault that is. */
export class TokenTrouble extends Error {
  readonly result: SendResult;
  constructor(result: Exclude<SendResult, { kind: 'sent' }>) {
    super(result.reason);
    this.result = result;
  }
}

/**
 * The content of a file that holds one secret.
 * @throws TokenTrouble paused
 */
export async function readSecret(file: string, what: string): Promise<string> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? 'error';
    throw new TokenTrouble({ kind: 'paused', reason: `the ${what} cannot be read (${code})` });
  }
}
