import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { unstable_splitSqlQuery as splitSql } from 'wrangler';
import { completeMigration, splitMigration } from '../../drizzle/complete-migration.ts';
import {
  findChangeProblems,
  findHazards,
  findRebuiltTables,
  isLeftToChange,
  isReadByChange,
} from '../../drizzle/hazards.ts';
import { acceptsSchema, schemaVersion } from '../../src/data/schema/schema-version.ts';
import { declaredChanges } from '../../src/data/shards/long-changes.ts';
import { projectRoot } from '../support/node/deploy/production-config.ts';

const folders = ['directory', 'store'].map((database) => join(projectRoot, 'drizzle', database));

const files = folders.flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .map((file): [string, string] => [
      `${folder.slice(projectRoot.length + 1)}/${file}`,
      readFileSync(join(folder, file), 'utf8'),
    ]),
);

const versionOf = (sql: string) =>
  Number([...sql.matchAll(/INTO `schema_version`.*SET `version` = (\d+);/g)].at(-1)?.[1]);

/**
 * The columns that the release before a migration reads: those of the last snapshot of an earlier
 * version.
 */
function columnsBefore(file: string, sql: string): Map<string, string[]> {
  const [folder = ''] = file.split(/\/[^/]+$/);
  const [last = ''] =
    files.findLast(
      ([other, text]) => other.startsWith(`${folder}/`) && versionOf(text) < versionOf(sql),
    ) ?? [];
  if (last === '') return new Map();
  const path = join(
    projectRoot,
    folder,
    'meta',
    `${last.slice(folder.length + 1, folder.length + 5)}_snapshot.json`,
  );
  const { tables } = JSON.parse(readFileSync(path, 'utf8')) as {
    tables: Record<string, { columns: object }>;
  };
  return new Map(Object.entries(tables).map(([name, { columns }]) => [name, Object.keys(columns)]));
}

describe.each(files)('%s', (file, sql) => {
  it('has nothing that a deployed D1 splits or runs otherwise than the local one', () => {
    expect(findHazards(sql, columnsBefore(file, sql))).toEqual([]);
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

  it('has only long changes that are finished before a release relies on them', () => {
    expect(findChangeProblems(declaredChanges)).toEqual([]);
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
    ['a lower-case begin', 'create trigger t after insert on a begin delete from b; END;', 'BEGIN'],
    ['a lower-case trigger of several lines', trigger('x;\nEND;').toLowerCase(), 'several lines'],
    ['a transaction after a comment', '-- all or nothing\nbegin;', 'transaction'],
    ['an index on a grown table', 'CREATE INDEX `i` ON `products` (`name`);', 'row of products'],
    ['a unique index on one', 'create unique index i on products (name);', 'row of products'],
    ['an update of one', "UPDATE `orders` SET `note` = '';", 'row of orders'],
    ['a delete from one', 'delete from orders where id > 3;', 'row of orders'],
    ['a copy of one', 'INSERT INTO `a` SELECT `id` FROM `orders`;', 'row of orders'],
    ['a dropped column of one', 'ALTER TABLE `orders` DROP COLUMN `note`;', 'row of orders'],
    ['a measurement that is too long', '-- measured: a 20 s\nDELETE FROM a;', 'row of a:'],
    ['a new name', 'ALTER TABLE `orders` RENAME COLUMN `a` TO `b`;', 'renames'],
    [
      'a column that no row has',
      'ALTER TABLE `orders` ADD `a` text NOT NULL;',
      'without a default',
    ],
    ['a statement above 100,000 bytes', `SELECT '${'x'.repeat(100_000)}';`, '100000 bytes'],
  ])('is refused with %s', (_what, sql, message) => {
    expect(findHazards(sql).join()).toContain(message);
  });

  it('may have a trigger on one line', () => {
    expect(findHazards(trigger('DELETE FROM b; DELETE FROM c; END;'))).toEqual([]);
  });

  it.each([
    [
      'of a table that it creates',
      'CREATE TABLE `a` (`id` integer);\n--> statement-breakpoint\nCREATE INDEX `i` ON `a` (`id`);',
    ],
    ['of a small table', 'UPDATE `timer_bounds` SET `due_at` = 0;'],
    ['that was measured', '-- measured: orders 4 s\nCREATE INDEX `i` ON `orders` (`id`);'],
  ])('may read every row %s', (_which, sql) => {
    expect(findHazards(sql)).toEqual([]);
  });

  it.each([
    ['a table', 'DROP TABLE `a`;'],
    ['a column', 'ALTER TABLE `a` DROP COLUMN `old`;'],
  ])('drops %s only a release after the last one that reads it', (_what, statement) => {
    const sql = `-- measured: a 1 s\n${statement}`;
    expect(findHazards(sql, new Map([['a', ['id', 'old']]])).join()).toContain(
      'drops what the release before still reads',
    );
    expect(findHazards(sql, new Map([['b', ['id', 'old']]]))).toEqual([]);
  });

  it.each([
    ['needed by the release that declares it', { neededFrom: 4 }, 'must be later'],
    [
      'that replaces a column, and that no release needs',
      { replaces: ['a.old'] },
      'set neededFrom',
    ],
  ])('has no long change %s', (_which, change, problem) => {
    const titles = { name: 'titles-1', since: 4, steps: [], ...change };
    expect(findChangeProblems([titles]).join()).toContain(problem);
    expect(findChangeProblems([{ ...titles, neededFrom: 5 }])).toEqual([]);
    expect(findChangeProblems([titles, titles]).join()).toContain('declared twice');
  });

  it('drops what a long change reads only in the release that relies on the change', () => {
    const titles = { name: 'titles-1', since: 4, neededFrom: 6, replaces: ['a.old'], steps: [] };
    const waits = (statement: string, version: number) =>
      isReadByChange(statement, [titles], version);
    const drop = 'ALTER TABLE `a` DROP COLUMN `old`;';
    expect([4, 5, 6].map((version) => waits(drop, version))).toEqual([true, true, false]);
    expect(waits('DROP TABLE `a`;', 5)).toBe(true);
    expect(waits('ALTER TABLE `a` DROP COLUMN `older`;', 5)).toBe(false);
  });

  it('leaves an index that a long change creates to it', () => {
    const step = { index: 'a_title', table: 'a', columns: '(title)', maxRows: 10 };
    const changes = [{ name: 'index-1', since: 4, steps: [step] }];
    expect(isLeftToChange('CREATE INDEX `a_title` ON `a` (`title`);', changes)).toBe(true);
    expect(isLeftToChange('CREATE INDEX `a_name` ON `a` (`name`);', changes)).toBe(false);
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
