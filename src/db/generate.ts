/**
 * `npm run migrations -- --name what-changed` (Node, not part of the Worker): drizzle-kit writes the SQL of
 * what changed in the schema; this adds what drizzle-kit cannot say: tables whose key is not an integer id
 * are WITHOUT ROWID (one row written instead of two), and counted tables keep `totals` by triggers.
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

function completed(sql: string): string {
  const statements = sql.split('--> statement-breakpoint\n').map((statement) => {
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
  execFileSync('drizzle-kit', ['generate', ...process.argv.slice(2)], {
    env: { ...process.env, DATABASE: database },
    stdio: 'inherit',
  });
  for (const file of readdirSync(folder)) {
    if (file.endsWith('.sql') && !before.has(file)) {
      const path = `${folder}/${file}`;
      writeFileSync(path, completed(readFileSync(path, 'utf8')));
    }
  }
}
