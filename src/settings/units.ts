// Durations and sizes as people write them: 5s, 10m, 24h, 7d; 256KiB, 2MiB.
import { z } from 'zod';

const seconds: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const bytes: Readonly<Record<string, number>> = { b: 1, kib: 1024, mib: 1024 ** 2, gib: 1024 ** 3, kb: 1000, mb: 1000 ** 2, gb: 1000 ** 3 };

function unit(table: Readonly<Record<string, number>>, fallback: string, example: string) {
  const expected = `expected a value such as ${example}`;
  return z.union([z.string(), z.number()], { error: expected }).transform((value, ctx) => {
    const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(String(value).trim());
    const factor = match === null ? undefined : table[(match[2] || fallback).toLowerCase()];
    if (match === null || factor === undefined) {
      ctx.addIssue({ code: 'custom', message: expected });
      return z.NEVER;
    }
    return Math.round(Number(match[1]) * factor);
  });
}

/** Milliseconds; a bare number is seconds. */
export const duration = unit(seconds, 's', '5s, 10m or 24h');
/** Bytes; a bare number is bytes. */
export const size = unit(bytes, 'b', '256KiB or 2MiB');
