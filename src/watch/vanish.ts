// Rows that are no longer there: a deleted application, or a table that is being restored. When many are missing at once they are
// held back until they are still missing after a while: nothing may be ended because a read was empty or partial.
import type { AppKey, AppRow } from './rows.ts';

/** How long rows that went away together must stay away. */
export const goneGraceMs = 10 * 60_000;
/** So many may go at once; beyond it, and beyond a fifth of all, they are held back. */
const plausibleMany = 2;
const plausibleShare = 0.2;

export interface Suspect {
  /** As it was seen last. */
  readonly row: AppRow;
  /** Database clock of the first look that missed it, ms since the epoch. */
  readonly since: number;
}

export interface GoneInput {
  /** Rows that this look missed and that were not missed before. */
  readonly missing: ReadonlyMap<AppKey, AppRow>;
  /** Rows held back before that this look missed too. */
  readonly still: ReadonlyMap<AppKey, Suspect>;
  /** Rows that were followed before this look. */
  readonly followed: number;
  /** A table that had rows has none. */
  readonly empty: boolean;
  readonly now: number;
}

export interface Gone {
  readonly gone: ReadonlyMap<AppKey, AppRow>;
  readonly suspects: ReadonlyMap<AppKey, Suspect>;
}

/** Which rows are gone, and which are held back. A suspect is looked for at each poll, so at least twice before it is gone. */
export function judgeGone({ missing, still, followed, empty, now }: GoneInput): Gone {
  const gone = new Map<AppKey, AppRow>();
  const suspects = new Map<AppKey, Suspect>();
  const many = missing.size + still.size > Math.max(plausibleMany, followed * plausibleShare);
  for (const [key, row] of missing) {
    if (many || empty) suspects.set(key, { row, since: now });
    else gone.set(key, row);
  }
  for (const [key, suspect] of still) {
    if (now - suspect.since >= goneGraceMs) gone.set(key, suspect.row);
    else suspects.set(key, suspect);
  }
  return { gone, suspects };
}
