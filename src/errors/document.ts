// docs/errors.md, made from the catalogue.
import { errorCatalogue } from './errors.ts';

/** The page: one heading for each code, so that a code in a log line can be linked to. */
export function errorsPage(): string {
  const entries = Object.entries(errorCatalogue).map(([code, { cause, cure }]) => `## ${code}\n\n${cause}\n\n**Cure:** ${cure}\n`);
  return `# Error codes

Generated from the catalogue in the program. Every problem is logged once with its code, counted in \`/metrics\`, and has no other effect
than the one described here.

${entries.join('\n')}`;
}
