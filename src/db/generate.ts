/**
 * `npm run migrations -- --name what-changed` (Node, not part of the Worker): drizzle-kit writes the SQL of
 * what changed in the schema; this adds what drizzle-kit cannot say: tables whose key is not an integer id
 * are WITHOUT ROWID (one row written instead of two), counted tables keep `totals` by triggers, and a table that is
 * rebuilt takes over the columns it had (SQLite would read the name of a new one as a text).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { countedKinds } from './schema/counted.ts';

const databases = ['directory', 'store'] as const;

function trigger(kind: string, verb: 'INSERT' | 'DELETE'): string {
  const [row, step] = verb === 'INSERT' ? ['NEW', '+ 1'] : ['OLD', '- 1'];
  return `CREATE TRIGGER \`${kind}_total_${verb.toLowerCase()}\` AFTER ${verb} ON \`${kind}\` BEGIN
	INSERT INTO \`totals\` (\`store_id\`, \`kind\`, \`total\`) VALUES (${row}.\`store_id\`, '${kind}', 1)
	ON CONFLICT DO UPDATE SET \`total\` = \`total\` ${step};
END;`;
}

/** The columns of each table before the change, as drizzle-kit's last snapshot tells them. */
function columnsOf(folder: string): Map<string, readonly string[]> {
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

function takenOver(statement: string, known: Map<string, readonly string[]>): string {
  const [, table] = /^INSERT INTO `__new_(\w+)`/.exec(statement) ?? [];
  if (table === undefined) return statement;
  const columns = (known.get(table) ?? []).filter((name) => statement.includes(`"${name}"`));
  const listed = columns.map((name) => `"${name}"`).join(', ');
  return `INSERT INTO \`__new_${table}\`(${listed}) SELECT ${listed} FROM \`${table}\`;\n`;
}

function completed(sql: string, known: Map<string, readonly string[]>): string {
  const statements = sql.split('--> statement-breakpoint\n').map((written) => {
    const statement = takenOver(written, known);
    const hasOtherKey =
      statement.startsWith('CREATE TABLE') && !/`id` integer PRIMARY KEY/.test(statement);
    return hasOtherKey && /PRIMARY KEY/.test(statement)
      ? statement.replace(/\);\s*$/, ') WITHOUT ROWID;\n')
      : statement;
  });
  const made = countedKinds.filter(
    (kind) => sql.includes(`CREATE TABLE \`${kind}\` (`) || sql.includes(`RENAME TO \`${kind}\``),
  );
  return [
    ...statements,
    ...made.flatMap((kind) => [trigger(kind, 'INSERT'), trigger(kind, 'DELETE')]),
  ]
    .map((statement) => statement.trimEnd())
    .join('\n--> statement-breakpoint\n')
    .concat('\n');
}

for (const database of databases) {
  const folder = `drizzle/${database}`;
  const before = new Set(readdirSync(folder));
  const known = columnsOf(folder);
  execFileSync('drizzle-kit', ['generate', ...process.argv.slice(2)], {
    env: { ...process.env, DATABASE: database },
    stdio: 'inherit',
  });
  for (const file of readdirSync(folder)) {
    if (file.endsWith('.sql') && !before.has(file)) {
      const path = `${folder}/${file}`;
      writeFileSync(path, completed(readFileSync(path, 'utf8'), known));
    }
  }
}
