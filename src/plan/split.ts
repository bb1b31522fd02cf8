// Script -> pieces, as StreamPark's SqlSplitter cuts it, each with its place. Comments become blanks of the same length, so
// that a position in a piece is a position in the script. Back-ticks count as quotes here: a script that has a
// semicolon inside them cannot run in StreamPark anyway.
import { PlanError } from '../errors/errors.ts';
import { segments } from './lexer.ts';
import { lineStarts, type Position, positionAt } from './positions.ts';
import type { ScriptStatement } from './script.ts';

/** Flink's parser copies its buffer again and again while it reads one token, so very long ones stall it. */
export const maxTokenLength = 64 * 1024;

export interface SplitScript {
  readonly pieces: readonly ScriptStatement[];
  /** The first line that begins with `#`; null where there is none. */
  readonly hashComment: Position | null;
  /** The text with its comments blanked. */
  readonly blanked: string;
  /** Where a quote or comment begins that never ends; the piece it stands in is not among `pieces`. */
  readonly unclosed: (Position & { readonly what: string }) | null;
}

/**
 * Splits a script at the semicolons outside of quotes and comments; empty pieces vanish.
 * @throws PlanError SQL_TOO_LARGE for a token longer than 64 KiB
 */
export function splitScript(text: string): SplitScript {
  const starts = lineStarts(text);
  const found = segments(text);
  const blanked = blankComments(text, found);
  const pieces: ScriptStatement[] = [];
  let from = 0;
  const cut = (to: number) => {
    const piece = trimmed(blanked, from, to);
    if (piece !== undefined) pieces.push({ text: piece.text, ...positionAt(starts, piece.start) });
  };
  for (const { kind, start, end } of found) {
    if (kind === 'quoted' && end - start > maxTokenLength) throw tokenTooLong(positionAt(starts, start));
    if (kind !== 'semicolon') continue;
    cut(start);
    from = end;
  }
  const word = longWord(blanked);
  if (word !== undefined) throw tokenTooLong(positionAt(starts, word));
  const hash = found.find(({ kind, start }) => kind === 'comment' && text[start] === '#');
  const hashComment = hash === undefined ? null : positionAt(starts, hash.start);
  const last = found.at(-1);
  if (last !== undefined && !last.closed) {
    const what = last.kind === 'comment' ? 'comment' : `quote ${text[last.start]}`;
    return { pieces, blanked, hashComment, unclosed: { what, ...positionAt(starts, last.start) } };
  }
  cut(text.length);
  return { pieces, blanked, hashComment, unclosed: null };
}

function blankComments(text: string, found: ReturnType<typeof segments>): string {
  const parts: string[] = [];
  let from = 0;
  for (const { kind, start, end } of found) {
    if (kind !== 'comment') continue;
    parts.push(text.slice(from, start), text.slice(start, end).replace(/[^\r\n]/g, ' '));
    from = end;
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(from);
}

/** The text between two offsets without the blanks around it; undefined when nothing is left. */
export function trimmed(text: string, from: number, to: number): { text: string; start: number } | undefined {
  const whole = text.slice(from, to);
  const start = whole.trimStart();
  if (start === '') return undefined;
  return { text: start.trimEnd(), start: from + whole.length - start.length };
}

/** Offset of a run of word characters that is longer than a token may be. */
function longWord(text: string): number | undefined {
  if (text.length <= maxTokenLength) return undefined;
  for (const { 0: word, index } of text.matchAll(/[\p{L}\p{N}_$.]+/gu)) {
    if (word.length > maxTokenLength) return index;
  }
  return undefined;
}

function tokenTooLong({ line, column }: Position): PlanError {
  return new PlanError('SQL_TOO_LARGE', `the token at line ${line}, column ${column} is longer than ${maxTokenLength} characters`);
}
