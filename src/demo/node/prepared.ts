import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files that the databases of a first start are created from: the migrations, and the demo data with its code. */
const sources = [
  'wrangler.toml',
  'drizzle/*/*.sql',
  'src/demo/{data,seed}/*.ts',
  'src/commerce/test-stores/*.ts',
];

const digestOf = (root: string, empty: boolean) => {
  const hash = createHash('sha256').update(`${empty}\0`);
  for (const file of globSync(sources, { cwd: root }).sort()) {
    hash
      .update(`${file}\0`)
      .update(readFileSync(join(root, file)))
      .update('\0');
  }
  return hash.digest('hex');
};

const recordPath = (state: string) => join(state, 'prepared');

/** Whether the databases of a state folder have all migrations and, unless `empty`, the demo data of these sources. */
export const isPrepared = (root: string, state: string, empty: boolean): boolean =>
  existsSync(join(state, 'v3')) &&
  existsSync(recordPath(state)) &&
  readFileSync(recordPath(state), 'utf8') === digestOf(root, empty);

/** Records that they have. */
export const recordPrepared = (root: string, state: string, empty: boolean): void =>
  writeFileSync(recordPath(state), digestOf(root, empty));
