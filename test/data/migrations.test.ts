import { env } from 'cloudflare:workers';
import { getTableColumns, getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { countedKinds } from '../../src/data/schema/store/internal-tables.ts';
import { indexedTables } from '../../src/data/schema/store/text-index.ts';

const directorySchemas = import.meta.glob<object>(['../../src/data/schema/directory/*.ts'], {
  query: '',
  import: '*',
  eager: true,
});
const storeSchemas = import.meta.glob<object>(['../../src/data/schema/store/*.ts'], {
  query: '',
  import: '*',
  eager: true,
});

const databases = [
  ['directory', env.DIRECTORY, Object.values(directorySchemas)],
  ['store', env.STORE_0, Object.values(storeSchemas)],
] as const;

/**
 * Parts that the schema no longer has, and that a database keeps for one more release
 * (`drizzle/README.md`).
 */
const held = import.meta.glob<{ statement: string }[]>(['../../drizzle/*/meta/_held.json'], {
  query: '',
  import: 'default',
  eager: true,
});
const isHeld = (drop: string) =>
  Object.values(held)
    .flat()
    .some(({ statement }) => statement.replaceAll('`', '').startsWith(drop));

const tablesOf = (modules: readonly object[]) =>
  modules.flatMap((module) => Object.values(module)).filter((value) => is(value, SQLiteTable));

describe.each(databases)('the migrations of a %s database', (_kind, database, modules) => {
  const tables = tablesOf(modules);

  it('create every table of the schema with exactly its columns', async () => {
    expect(tables.length).toBeGreaterThan(5);
    for (const table of tables) {
      const name = getTableName(table);
      const { results } = await database
        .prepare(`pragma table_xinfo(\`${name}\`)`)
        .all<{ name: string }>();
      const columns = Object.values(getTableColumns(table)).map((column) => column.name);
      const present = results
        .map((column) => column.name)
        .filter((column) => !isHeld(`ALTER TABLE ${name} DROP COLUMN ${column};`));
      expect([name, present.sort()]).toEqual([name, columns.sort()]);
    }
  });

  it('create no table that the schema does not have', async () => {
    const { results } = await database
      .prepare(
        `select name from sqlite_master where type = 'table' and name not like 'sqlite_%'
          and name not like '\\_cf%' escape '\\' and name <> 'd1_migrations'
          and name not like 'text\\_index%' escape '\\'`,
      )
      .all<{ name: string }>();
    const present = results
      .map(({ name }) => name)
      .filter((name) => !isHeld(`DROP TABLE ${name};`));
    expect(present.sort()).toEqual(tables.map(getTableName).sort());
  });
});

describe('the migrations of a store database', () => {
  it('keep totals by two triggers for each counted table', async () => {
    const { results } = await env.STORE_0.prepare(
      `select name from sqlite_master where type = 'trigger' and name like '%\\_total\\_%' escape '\\'`,
    ).all<{ name: string }>();
    expect(results.map(({ name }) => name).sort()).toEqual(
      countedKinds.flatMap((kind) => [`${kind}_total_delete`, `${kind}_total_insert`]).sort(),
    );
  });

  it('keep the text index by three triggers for each searched table, of one line each', async () => {
    const { results } = await env.STORE_0.prepare(
      `select name, sql from sqlite_master where type = 'trigger' and name like '%\\_text\\_%' escape '\\'`,
    ).all<{ name: string; sql: string }>();
    expect(results.map(({ name }) => name).sort()).toEqual(
      Object.keys(indexedTables)
        .flatMap((table) => ['delete', 'insert', 'update'].map((verb) => `${table}_text_${verb}`))
        .sort(),
    );
    expect(results.filter(({ sql }) => sql.includes('\n'))).toEqual([]);
  });

  it('store tables without an integer id WITHOUT ROWID, so that an insert writes one row', async () => {
    const { results } = await env.STORE_0.prepare(
      `select name from sqlite_master where type = 'table' and sql like '%primary key%'
        and sql not like '%\`id\` integer primary key%' and sql not like '%without rowid%'
        and name not like 'sqlite_%' and name not like '\\_cf%' escape '\\'
        and name <> 'd1_migrations' and name not like 'text\\_index%' escape '\\'`,
    ).all();
    expect(results).toEqual([]);
  });
});
