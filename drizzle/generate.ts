/**
 * `npm run migrations -- --name what-changed` (runs in Node, is not part of the Worker). drizzle-kit writes a migration for
 * each change of the schema; this script adds what drizzle-kit cannot express:
 *
 * - A table whose key is not an integer id is WITHOUT ROWID, so that an insert writes one row instead of two.
 * - Triggers keep `totals` for the counted tables.
 * - A rebuilt table copies only the columns that it had. SQLite would read the name of a new column as a text.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { countedKinds } from '../src/db/schema/store/internal.ts';

const databases = ['directory', 'store'] as const;

const breakpoint = '--> statement-breakpoint\n';

/** The columns of each table as of the last snapshot. */
type TableColumns = ReadonlyMap<string, readonly string[]>;

function createTotalTrigger(kind: string, verb: 'INSERT' | 'DELETE'): string {
  const [row, change] = verb === 'INSERT' ? ['NEW', '+ 1'] : ['OLD', '- 1'];
  return `CREATE TRIGGER \`${kind}_total_${verb.toLowerCase()}\` AFTER ${verb} ON \`${kind}\` BEGIN
	INSERT INTO \`totals\` (\`store_id\`, \`kind\`, \`total\`) VALUES (${row}.\`store_id\`, '${kind}', 1)
	ON CONFLICT DO UPDATE SET \`total\` = \`total\` ${change};
END;`;
}

function readColumns(folder: string): TableColumns {
  if (!existsSync(`${folder}/meta`)) return new Map();
  const last = readdirSync(`${folder}/meta`)
    .filter((file) => file.endsWith('_snapshot.json'))
    .sort()
    .at(-1);
  if (last === undefined) return new Map();
  const { tables } = JSON.parse(readFileSync(`${folder}/meta/${last}`, 'utf8')) as {
    tables: Record<string, { columns: object }>;
  };
  return new Map(Object.entries(tables).map(([name, { columns }]) => [name, Object.keys(columns)]));
}

function copyKnownColumns(statement: string, columnsBefore: TableColumns): string {
  const [, table] = /^INSERT INTO `__new_(\w+)`/.exec(statement) ?? [];
  if (table === undefined) return statement;
  const columns = (columnsBefore.get(table) ?? []).filter((name) =>
    statement.includes(`"${name}"`),
  );
  const list = columns.map((name) => `"${name}"`).join(', ');
  return `INSERT INTO \`__new_${table}\`(${list}) SELECT ${list} FROM \`${table}\`;\n`;
}

function withoutRowid(statement: string): string {
  const hasOtherKey =
    statement.startsWith('CREATE TABLE') &&
    /PRIMARY KEY/.test(statement) &&
    !/`id` integer PRIMARY KEY/.test(statement);
  return hasOtherKey ? statement.replace(/\);\s*$/, ') WITHOUT ROWID;\n') : statement;
}

function completeMigration(sql: string, columnsBefore: TableColumns): string {
  const statements = sql
    .split(breakpoint)
    .map((statement) => withoutRowid(copyKnownColumns(statement, columnsBefore)));
  const createdKinds = countedKinds.filter(
    (kind) => sql.includes(`CREATE TABLE \`${kind}\` (`) || sql.includes(`RENAME TO \`${kind}\``),
  );
  const triggers = createdKinds.flatMap((kind) => [
    createTotalTrigger(kind, 'INSERT'),
    createTotalTrigger(kind, 'DELETE'),
  ]);
  return [...statements, ...triggers]
    .map((statement) => statement.trimEnd())
    .join(`\n${breakpoint}`)
    .concat('\n');
}

for (const database of databases) {
  const folder = `drizzle/${database}`;
  mkdirSync(folder, { recursive: true });
  const filesBefore = new Set(readdirSync(folder));
  const columnsBefore = readColumns(folder);
  execFileSync('drizzle-kit', ['generate', ...process.argv.slice(2)], {
    env: { ...process.env, DATABASE: database },
    stdio: 'inherit',
  });
  for (const file of readdirSync(folder)) {
    if (file.endsWith('.sql') && !filesBefore.has(file)) {
      const path = `${folder}/${file}`;
      writeFileSync(path, completeMigration(readFileSync(path, 'utf8'), columnsBefore));
    }
  }
}
