// The few java.lang.String rules that official names depend on and that JavaScript answers differently.

/** `text.split(Pattern.quote(separator))` of Java: trailing empty parts are dropped, leading and inner ones stay. */
export function javaSplit(text: string, separator: string): string[] {
  const parts = text.split(separator);
  if (parts.length === 1) return parts;
  while (parts.length > 0 && parts[parts.length - 1] === '') parts.pop();
  return parts;
}

/** The part before the first `separator`, or the whole text. */
export const before = (text: string, separator: string): string => {
  const at = text.indexOf(separator);
  return at < 0 ? text : text.slice(0, at);
};

/** The part after the first `separator`, or undefined. */
export const after = (text: string, separator: string): string | undefined => {
  const at = text.indexOf(separator);
  return at < 0 ? undefined : text.slice(at + separator.length);
};
