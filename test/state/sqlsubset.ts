// Words that one of MySQL 5.7, MariaDB 10.6 and PostgreSQL 13 lacks, as patterns for statements of our own.
export const forbidden: Readonly<Record<string, RegExp>> = {
  'SKIP LOCKED': /\bskip\s+locked\b/i,
  NOWAIT: /\bnowait\b/i,
  'FOR SHARE': /\bfor\s+share\b/i,
  RETURNING: /\breturning\b/i,
  'common table expression': /(^|;|\()\s*with\s+(recursive\s+)?["`\w]+\s*(\([^)]*\)\s*)?as\b/i,
  'window function': /\bover\s*\(/i,
  'IF [NOT] EXISTS on a column or index': /\b(add|drop)\s+(column|index|key|constraint)\s+if\b|\bcreate\s+(unique\s+)?index\s+if\b/i,
  'INSERT IGNORE or REPLACE': /\binsert\s+ignore\b|^\s*replace\s+into\b/i,
  'lateral join': /\blateral\b/i,
  'except or intersect': /\b(except|intersect)\b/i,
  'native json': /\bjsonb?\b|->>?/i,
};

/** Names of the forbidden things in a statement. */
export const violations = (statement: string): string[] =>
  Object.entries(forbidden)
    .filter(([, pattern]) => pattern.test(statement))
    .map(([name]) => name);
