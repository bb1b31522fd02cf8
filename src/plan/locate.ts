// From a place in the text the planner saw back to the place the user wrote it at.
import { lineStarts, offsetAt, type Position, positionAt } from './positions.ts';
import { type Origin, storedOffset } from './variables.ts';

/**
 * Translates positions in `text` (variables replaced) into positions in `storedText`. A position inside a replaced value
 * becomes that of its placeholder.
 */
export function storedPositions(script: {
  readonly text: string;
  readonly storedText: string;
  readonly origins: readonly Origin[];
}): (position: Position) => Position {
  const starts = lineStarts(script.text);
  const storedStarts = lineStarts(script.storedText);
  return (position) => positionAt(storedStarts, storedOffset(script.origins, offsetAt(starts, script.text.length, position)));
}
