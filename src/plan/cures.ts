// What helps against the errors that scripts usually have, told from Flink's message; the cure of the code serves for all others.

const cures: readonly (readonly [message: RegExp, cure: string])[] = [
  [
    /^(?:Table .* is not defined in the script|Object '.*' not found|Cannot find table )/,
    'Declare the table in the script or in planner.prelude, or give its catalog an entry in `catalogs`; see docs/planning.md.',
  ],
  [/^Model .* is not defined in the script/, 'Create the model in the script or in planner.prelude.'],
  [/^Catalog .* (?:does not exist|doesn't exist)/, 'Create the catalog in the script or in planner.prelude.'],
  [
    /time attribute|either rowtime or proctime|row time attribute in versioned table/i,
    'Give the table a WATERMARK on its event time column, or a column AS PROCTIME(); a view or sub-query must hand it on unchanged.',
  ],
  [
    /^No match found for function signature|^Function '.*' cannot be used|^Invalid (?:function call|number of arguments)|^Unknown function/,
    'Declare kind and type of the function in planner.functions if it is one of your own; else look at its arguments.',
  ],
];

/** The cure for an error of a statement; undefined where there is none of its own. */
export function cureOf(message: string): string | undefined {
  return cures.find(([pattern]) => pattern.test(message))?.[1];
}
