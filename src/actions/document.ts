// docs/jar-jobs.md, made from the tools: what is read from the arguments of JAR applications, and what is not.
import { toolCatalogue } from './actions.ts';

const titles: Readonly<Record<string, string>> = {
  paimon: 'Apache Paimon: `paimon-flink-action`',
  'flink-cdc': 'Flink CDC 3.x pipelines',
  doris: 'Apache Doris: whole-database synchronisation of `flink-doris-connector`',
  hudi: 'Apache Hudi',
};

/** The page: how applications are taken, then one table per tool. */
export function jarJobsPage(): string {
  const tools = toolCatalogue();
  const names = [...new Set(tools.map(({ name }) => name))];
  return `# JAR jobs

Generated from the program. A JAR application is opted in, watched and reported like any other. Where it is one of the tools below, its tables
are read from its arguments: each copy is a job of its own, named by the naming rules of the connectors ([connectors.md](connectors.md)). No
planner is needed, columns are not known, and the tier is \`text\`. \`streampark-lineage explain --app flink:100001\` prints what is recognised.

- **What is a tool.** The main class decides (\`main_class\` in StreamPark); where none is stored, the name of a jar that has no other main class.
- **Arguments** are split as StreamPark and Flink split them, after team variables were replaced: at blanks, quotes around a whole word
  only, \`key='value'\` without its quotes.
- **Only what is certain.** A table that stands behind a pattern, or behind "all of the database", is left out with a warning
  ([errors.md](errors.md)); the rest of the job is reported. \`a|b\`, \`(a|b)\` and escaped dots are no patterns but names. Of several lists in one line
  no pairs are made up. At most 2,000 names are read and 500 copies reported.
- **Secrets.** Values of secret-like keys (\`password=…\`, \`--password …\`, \`password: …\`) are replaced in every text about the application, also
  where they stand elsewhere in it.
- **The facet \`sourceCode\`** holds the pipeline file, or main class and arguments; never the jar. \`events.sql: none\` turns it off.
- **Other programs**, Python included: nothing is reported, unless \`events.otherJobs\` is on: then their life cycle, without datasets.
- **Catalogs** that a tool makes for itself have no name; tables of theirs have no \`catalog\` facet.

${names
  .map((name) =>
    section(
      name,
      tools.filter((tool) => tool.name === name),
    ),
  )
  .join('\n')}
## Not read

- Apache Iceberg has no program for Flink with documented arguments: its maintenance is an API. As the sink of a pipeline it is read.
- StarRocks has none either: its migration tool writes Flink SQL, which is planned like any script. As the sink of a pipeline it is read.
- Legacy Flink CDC (2.x) is a library; its SQL connectors are planned like any script.
`;
}

function section(name: string, tools: ReturnType<typeof toolCatalogue>): string {
  const classes = tools.flatMap(({ mainClasses }) => mainClasses).map((one) => `\`${one}\``);
  const rows = tools.flatMap(({ actions }) => actions).map((row) => `| ${row.action} | ${row.arguments} | ${row.reported} | ${row.not} |`);
  return `## ${titles[name] ?? name}

Main class: ${classes.join(', ')}.

| action | arguments | reported | left out |
| --- | --- | --- | --- |
${rows.join('\n')}
`;
}
