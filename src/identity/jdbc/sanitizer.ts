// JdbcUrlSanitizer of openlineage-java: what the fallback makes of a url. Its replacements are kept in their order
// because the result is a name; it is no protection (many passwords survive it), credentials.ts is.
import { cutQuery } from './location.ts';

// The first starts at the start of a word only because any other start would take quadratic time and find the same.
const steps: readonly (readonly [RegExp, string])[] = [
  [/(?<![A-Za-z0-9_%])[A-Za-z0-9_%]+\/\/?[A-Za-z0-9_%]*@/g, '@'],
  [/([/|,])[A-Za-z0-9_%]+(?::[A-Za-z0-9_%]*)?@/g, '$1'],
  [/[,;&:]?(?:user|username|password)=[^,;&:()]*[,;&:]?/gi, ''],
  [/(?:\(\)){2,}|[,;&:]{2,}/g, ''],
];

/** The url text (without `jdbc:`) after the five replacements. */
export const sanitize = (url: string): string =>
  cutQuery(steps.reduce((text, [pattern, replacement]) => text.replace(pattern, replacement), url));
