// Flink's types in the text form that it prints (`ROW<`a` INT, `b` ARRAY<STRING>> NOT NULL`) -> the nested fields of the schema
// facet. Arrays, multisets and maps have their elements under `_element`, `key` and `value`, as the specification's examples do.

/** A field of the schema facet. `type` is Flink's own text at every level. */
export interface SchemaField {
  readonly name: string;
  readonly type: string;
  readonly description?: string;
  readonly fields?: readonly SchemaField[];
}

/** Deeper levels stay in the text of the type. */
const deepest = 16;

/** The fields inside a type; empty for a type without any, and for one that is written in another way. */
export function nestedFields(type: string, depth = 0): readonly SchemaField[] {
  const [, kind = '', inside = ''] = /^(ROW|ARRAY|MULTISET|MAP)\s*[<(]([\s\S]*)[>)](?:\s+(?:NOT\s+)?NULL)?$/i.exec(type.trim()) ?? [];
  if (kind === '' || depth >= deepest) return [];
  const parts = splitTop(inside);
  const field = (name: string, text: string, description?: string): SchemaField => {
    const fields = nestedFields(text, depth + 1);
    return { name, type: text, ...(description !== undefined && { description }), ...(fields.length > 0 && { fields }) };
  };
  const [first, second] = parts;
  switch (kind.toUpperCase()) {
    case 'ROW': {
      const fields = parts.map(rowField);
      return fields.some((found) => found === undefined) ? [] : fields.flatMap((found) => (found ? [field(...found)] : []));
    }
    case 'MAP':
      return parts.length === 2 && first !== undefined && second !== undefined ? [field('key', first), field('value', second)] : [];
    default:
      return parts.length === 1 && first !== undefined ? [field('_element', first)] : [];
  }
}

/** `name` TYPE 'comment', the name with or without backticks. */
function rowField(text: string): [name: string, type: string, description?: string] | undefined {
  const [, quoted, plain, rest = ''] = /^(?:`((?:[^`]|``)*)`|([^\s`<>(),']+))\s+([\s\S]+)$/.exec(text) ?? [];
  const name = quoted === undefined ? plain : quoted.replaceAll('``', '`');
  if (name === undefined) return undefined;
  const [, type = rest, comment] = /^([\s\S]*?)\s+'((?:[^']|'')*)'$/.exec(rest) ?? [];
  return comment === undefined ? [name, type.trim()] : [name, type.trim(), comment.replaceAll("''", "'")];
}

/** Splits at commas outside of brackets and quotes. */
function splitTop(text: string): string[] {
  const parts: string[] = [];
  let level = 0;
  let start = 0;
  let quote = '';
  for (let i = 0; i < text.length; i += 1) {
    const character = text[i] ?? '';
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === '`' || character === "'") quote = character;
    else if (character === '<' || character === '(') level += 1;
    else if (character === '>' || character === ')') level -= 1;
    else if (character === ',' && level === 0) {
      parts.push(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  const last = text.slice(start).trim();
  return last === '' && parts.length === 0 ? [] : [...parts, last];
}
