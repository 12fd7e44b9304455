import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery as splitSql } from 'wrangler';
import { completeMigration, splitMigration } from '../../../drizzle/complete-migration.ts';
import { findHazards, findRebuiltTables } from '../../../drizzle/hazards.ts';
import { acceptsSchema, schemaVersion } from '../../../src/data/schema/schema-version.ts';
import { projectRoot } from '../../support/node/deploy/production-config.ts';

const folders = ['directory', 'store'].map((database) => join(projectRoot, 'drizzle', database));

const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file): [string, string] => [
      `${folder.slice(projectRoot.length + 1)}/${file}`,
      readFileSync(join(folder, file), 'utf8'),
    ]),
);

describe.each(files)('%s', (_file, sql) => {
  it('has nothing that a deployed D1 splits or runs otherwise than the local one', () => {
    expect(findHazards(sql)).toEqual([]);
  });

  it('is split by the client as it was written', () => {
    expect(splitSql(sql)).toHaveLength(splitMigration(sql).length);
  });

  it('is small enough for the 30 seconds of a migration', () => {
    expect(splitMigration(sql).length).toBeLessThan(1000);
  });
});

describe('the version of the schema', () => {
  it.each(folders)('is what the migrations of %s lead to', (folder) => {
    const written = files
      .filter(([file]) => join(projectRoot, file).startsWith(folder))
      .flatMap(([, sql]) => [...sql.matchAll(/INTO `schema_version`.*SET `version` = (\d+);/g)]);
    expect(Number(written.at(-1)?.[1])).toBe(schemaVersion);
  });

  it('suits the release before, itself and the next', () => {
    const accepted = [-2, -1, 0, 1, 2].filter((step) => acceptsSchema(schemaVersion + step));
    expect(accepted).toEqual([-1, 0, 1]);
  });
});

describe('a migration', () => {
  const trigger = (body: string) => `CREATE TRIGGER t AFTER INSERT ON a BEGIN ${body}`;

  it.each([
    ['a trigger of several lines', trigger('DELETE FROM b;\nEND;'), 'several lines'],
    ['a CASE in a trigger', trigger('SELECT CASE WHEN 1 THEN 2 END; END;'), 'CASE'],
    ['a lower case end of a trigger', trigger('DELETE FROM b; end;'), 'does not end'],
    ['CRLF', 'DROP TABLE a;\r\nDROP TABLE b;', 'CRLF'],
    ['a transaction', 'BEGIN TRANSACTION;', 'transaction'],
    ['foreign_keys', 'PRAGMA foreign_keys=OFF;', 'defer_foreign_keys'],
    ['a statement above 100,000 bytes', `SELECT '${'x'.repeat(100_000)}';`, '100000 bytes'],
  ])('is refused with %s', (_what, sql, message) => {
    expect(findHazards(sql).join()).toContain(message);
  });

  it('may have a trigger on one line', () => {
    expect(findHazards(trigger('DELETE FROM b; DELETE FROM c; END;'))).toEqual([]);
  });

  it('that rebuilds a table is noticed', () => {
    const sql = 'CREATE TABLE `__new_brands` (\n\t`id` integer\n);';
    expect(findRebuiltTables(sql)).toEqual(['brands']);
  });

  it('is completed: keys, triggers of counted tables, and the version at the end', () => {
    const sql = 'CREATE TABLE `brands` (\n\t`store_id` integer PRIMARY KEY NOT NULL\n);\n';
    const completed = completeMigration(sql, new Map(), 7);
    const statements = splitMigration(completed);
    expect(completed).toContain(') WITHOUT ROWID;');
    expect(
      statements.filter((text) => text.startsWith('CREATE TRIGGER `brands_total_')),
    ).toHaveLength(2);
    expect(statements.at(-1)).toContain('SET `version` = 7;');
    expect(findHazards(completed)).toEqual([]);
  });
});
