import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { splitMigration } from '../../drizzle/complete-migration.ts';
import { schemaVersion } from '../../src/data/schema/schema-version.ts';
import { numberShardStatements } from '../../src/data/shards/shard-numbers.ts';
import { openShardsStatement } from '../../src/deploy/release.ts';
import { projectRoot } from '../support/node/deploy/production-config.ts';

/** A database with all migrations of a kind, as a deployment leaves it. */
function migrate(kind: 'directory' | 'store'): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  const folder = join(projectRoot, 'drizzle', kind);
  const files = readdirSync(folder).filter((file) => file.endsWith('.sql'));
  for (const file of files.sort()) {
    for (const statement of splitMigration(readFileSync(join(folder, file), 'utf8'))) {
      database.exec(statement);
    }
  }
  return database;
}

const directory = migrate('directory');
const store = migrate('store');

describe('the statements of a deployment', () => {
  it('is the version of the schema', () => {
    for (const database of [directory, store]) {
      expect(database.prepare('select * from schema_version').all()).toEqual([
        { id: 1, version: schemaVersion },
      ]);
    }
  });

  it('opens shards, and leaves an open one as it is', () => {
    directory.exec(openShardsStatement(1));
    directory.exec('update shards set stores = 7');
    directory.exec(openShardsStatement(2));
    const rows = directory.prepare('select number, stores from shards').all();
    expect(rows).toEqual([
      { number: 0, stores: 7 },
      { number: 1, stores: 0 },
    ]);
  });

  it('numbers a shard once, and again without effect', () => {
    const number = () => store.exec(numberShardStatements(2).join('; '));
    const read = () => store.prepare('select * from sqlite_sequence order by name').all();
    number();
    const first = read();
    number();
    expect(read()).toEqual(first);
    expect(first.map(({ seq }) => Number(seq))).toEqual(first.map(() => 2 * 2 ** 36));
    expect(first.length).toBeGreaterThan(5);
  });
});
