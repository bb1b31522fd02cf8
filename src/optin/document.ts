// docs/grants.md: the rights of both users, as text and as the SQL that `migrate status --grants` prints for a database at hand.
import { propertyColumns } from '../watch/watch.ts';
import type { GrantFacts } from './grantfacts.ts';
import { grantScript, grantSections, migrateUser, runUser, viewSections } from './grants.ts';
import { readColumns } from './reads.ts';
import { narrowViews } from './views.ts';

/** Tables (true) and columns that one line of releases lacks; the rest of `readColumns` is there. */
const absent: Readonly<Record<'2.1' | 'dev', Readonly<Record<string, true | readonly string[]>>>> = {
  '2.1': {
    t_app_log: true,
    t_flink_app_backup: true,
    ...Object.fromEntries(['app', 'app_backup', 'sql', 'effective', 'config', 'env'].map((name) => [`t_spark_${name}`, true as const])),
    t_flink_app: ['deploy_mode', 'launch', 'app_id'],
    t_flink_log: ['create_time', 'cluster_id', 'job_type'],
    t_flink_project: ['branches'],
  },
  dev: {
    t_flink_log: true,
    t_app_backup: true,
    t_flink_app: ['execution_mode', 'launch'],
    t_spark_app: ['execution_mode', 'launch'],
    t_app_log: ['option_time', 'yarn_app_id'],
    t_flink_project: ['branches'],
  },
};

/** What only injection reads and writes. */
const propertiesOf: Readonly<Record<string, readonly string[]>> = {
  t_flink_app: [propertyColumns.flink],
  t_spark_app: [propertyColumns.spark],
};

/** The tables of a StreamPark release with the columns that matter here; on PostgreSQL its scripts make no Spark tables. */
function columnsOf(line: '2.1' | 'dev', family: GrantFacts['family']): Map<string, readonly string[]> {
  const tables = Object.entries(readColumns).filter(
    ([table]) => absent[line][table] !== true && !(family === 'postgres' && table.startsWith('t_spark_')),
  );
  return new Map(
    tables.map(([table, columns]) => {
      const gone = absent[line][table];
      const there = Array.isArray(gone) ? columns.filter((column) => !gone.includes(column)) : columns;
      return [table, [...new Set([...there, ...(propertiesOf[table] ?? [])])]];
    }),
  );
}

/** What the page shows: one script for each database and line of releases, after `migrate up`. */
export const documentedGrants: readonly { readonly title: string; readonly facts: GrantFacts }[] = (['mysql', 'postgres'] as const).flatMap(
  (family) =>
    (['2.1', 'dev'] as const).map((line) => ({
      title: `${family === 'mysql' ? 'MySQL, MariaDB' : 'PostgreSQL'}: StreamPark ${line === '2.1' ? '2.1.4 to 2.1.7' : 'dev, 2.2 and 3.0'}`,
      facts: {
        family,
        source: family === 'mysql' ? 'streampark' : 'public',
        state: 'streampark_lineage',
        columns: columnsOf(line, family),
        owner: family === 'mysql' ? undefined : 'streampark',
        views: false,
      },
    })),
);

const fence = (text: string): string => `\`\`\`sql\n${text}\n\`\`\``;

/** The page. */
export function grantsPage(): string {
  const scripts = documentedGrants.map(({ title, facts }) => `## ${title}\n\n${fence(grantScript(grantSections(facts)))}\n`);
  const viewScripts = documentedGrants
    .filter((_, i) => i % 2 === 0)
    .map(({ facts }) => `${facts.family === 'mysql' ? 'MySQL, MariaDB' : 'PostgreSQL'}:\n\n${fence(grantScript(viewSections(facts)))}\n`);
  return `# Grants

Two users. \`${runUser}\` is what the daemon, \`once\`, \`check\`, \`apps\` and \`explain --app\` log in with: it may read the columns
listed here and nothing else of StreamPark, and it owns the state tables. \`${migrateUser}\` is what \`migrate up --target streampark\` and
\`apps enable|disable\` log in with: give it for the moment of the migration, and take it back if you like.

The order, because a grant on a column that does not exist is an error:

1. As an administrator: the statements *before migrate up*, with passwords of your own.
2. As \`${migrateUser}\`: the migration.

       STREAMPARK_LINEAGE_SOURCE_URL=mysql://${migrateUser}:…@host:3306/streampark streampark-lineage migrate up --target streampark

3. As an administrator: the statements *after migrate up*. Only now \`${runUser}\` may read StreamPark: \`check\` and \`run\` come after this.
4. As \`${migrateUser}\`: \`streampark-lineage apps enable flink:100001\`.
5. As \`${runUser}\`: \`streampark-lineage check\`, then \`streampark-lineage run\`.

To try the tool on a test server, one URL of an administrator does for all of it.

The statements below are for the release named above them. For the database you have, as it is, an administrator prints them with
\`streampark-lineage migrate status --target streampark --grants\` (all of its output is SQL; print it anew after \`migrate up\`, for the column). Grants on
\`lineage_enable\` go away with the column on PostgreSQL. Where your release has other columns than the list, take the printed one.

What needs a word:

- MySQL: \`ALTER TABLE\` asks for \`ALTER\`, \`CREATE\` and \`INSERT\` on the table (MySQL's manual; MariaDB asks for \`ALTER\` alone, so the other two can be
  left out there).
- PostgreSQL: only the owner of a table may alter it, so \`${migrateUser}\` is made a member of that role.
- \`exception\` of the log table is read for failed submissions only, cut and masked before it is sent.
- The daemon reads \`lineage.gravitino.token\` from \`t_setting\` when it stands there; any logged-in user of the console can read it too.
  Prefer the environment variable \`STREAMPARK_LINEAGE_GRAVITINO_TOKEN\` or a settings file.

${scripts.join('\n')}
## Views

\`t_setting\` also holds passwords of mail and Docker servers. Where \`${runUser}\` must not see them, give it a view instead of the table: wherever
the views \`${narrowViews.t_setting.name}\` and \`${narrowViews.t_variable.name}\` exist they are read instead of \`t_setting\` and \`t_variable\`.
\`streampark-lineage migrate status --target streampark --grants --views\` prints all grants with the views in the place of the tables.
Add \`WHERE team_id IN (…)\` to the second one to show the variables of some teams only.

${viewScripts.join('\n')}
On PostgreSQL a view holds on to its table: drop the views before you run one of StreamPark's schema or upgrade scripts, and create them
again afterwards.

## Taking it all back

1. \`streampark-lineage migrate down --target streampark\` as \`${migrateUser}\`: removes the column and the four rows of \`t_setting\`, with their values.
2. \`streampark-lineage migrate down --target state\` as \`${runUser}\`: removes the state tables.
3. \`DROP VIEW ${narrowViews.t_setting.name}, ${narrowViews.t_variable.name}\` if you made them, then drop the two users.
`;
}
