// The answer of `explain` as text for people.
import { errorCatalogue } from '../../errors/errors.ts';
import type { ColumnOrigin } from '../../identity/identity.ts';
import type { ExternalTable } from '../../plan/plan.ts';
import type { Explained } from './result.ts';

type Pipeline = Explained['pipelines'][number];

const wayText: Readonly<Record<ExternalTable['way'], string>> = {
  prelude: 'a prelude',
  jdbc: 'its database',
  'iceberg-rest': 'its Iceberg REST catalog',
  'paimon-rest': 'its Paimon REST catalog',
  'iceberg-files': 'the Iceberg warehouse',
  'paimon-files': 'the Paimon warehouse',
  inferred: 'the columns it is used with',
  text: 'its name in the text only',
};

/** `withColumns`: one line per sink column of each pipeline (`--columns`). */
export function explainedLines(title: string, result: Explained, { withColumns }: { readonly withColumns: boolean }): string[] {
  const program = result.program === undefined ? '' : `${result.program.tool} ${result.program.action}, `;
  const lines = [`${title}  (${program}tier ${result.tier})`, ''];
  for (const pipeline of result.pipelines) {
    const { sink, inputs } = pipeline;
    lines.push(`  ${sink.namespace}  ${sink.name}    [${sink.table.join('.')}, ${sink.connector ?? 'catalog table'}]`);
    if (inputs.length === 0) lines.push('    └── (no dataset reaches it)');
    inputs.forEach((input, i) => {
      const role = input.role === 'scan' ? '' : `, ${input.role}`;
      lines.push(
        `    ${i === inputs.length - 1 ? '└' : '├'}── ${input.namespace}  ${input.name}    [${input.table.join('.')}, ${input.connector ?? 'catalog table'}${role}]`,
      );
    });
    if (withColumns) lines.push(...columnLines(pipeline));
    lines.push('');
  }
  for (const { table, role, reason, message } of result.skipped)
    lines.push(`  left out: ${role} ${table.join('.')}  ${reason}: ${message}`);
  for (const { table, way } of result.external ?? []) lines.push(`  not declared: ${table.join('.')}  found by ${wayText[way]}`);
  for (const { code, severity, message, line, column, cure } of result.diagnostics) {
    const at = line === undefined ? '' : `${line}:${column ?? 1}: `;
    lines.push(`  ${severity}: ${at}${code}: ${message}`, `      cure: ${cure ?? errorCatalogue[code].cure}`);
  }
  const silent = result.pipelines.length === 0 && result.diagnostics.length === 0 && result.skipped.length === 0;
  if (silent) lines.push(`  (${result.note ?? 'nothing to report: the script has no INSERT'})`);
  return lines;
}

/** `total: orders.amount (aggregation)`; what touches every column stands once, behind `rows`. */
function columnLines({ inputs, columns }: Pipeline): string[] {
  const entries = Object.entries(columns);
  if (entries.length === 0) return ['    columns: not known'];
  const origin = ({ namespace, name, field, subtype }: ColumnOrigin) => {
    const table = inputs.find((input) => input.namespace === namespace && input.name === name)?.table[2] ?? name;
    return `${table}.${field}${subtype === 'IDENTITY' ? '' : ` (${subtype.toLowerCase().replace('_', ' ')})`}`;
  };
  const [, first = []] = entries[0] ?? [];
  const everywhere = first
    .filter(({ type }) => type === 'INDIRECT')
    .map(origin)
    .filter((text) => entries.every(([, origins]) => origins.some((each) => origin(each) === text)));
  const rows = entries.length === 1 ? [] : everywhere;
  const width = Math.max(...entries.map(([name]) => name.length));
  const line = (name: string, texts: readonly string[]) => `      ${name.padEnd(width)}  ${texts.length === 0 ? '-' : texts.join(', ')}`;
  return [
    '    columns',
    ...entries.map(([name, origins]) =>
      line(
        name,
        [...new Set(origins.map(origin))].filter((text) => !rows.includes(text)),
      ),
    ),
    ...(rows.length > 0 ? [line('rows', rows)] : []),
  ];
}
