import { getTableName, is } from 'drizzle-orm';
import { getTableConfig, SQLiteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import readme from '../../src/sales/README.md?raw';
import { impersonalColumns } from '../support/fixtures/impersonal-columns.ts';

const schemas = import.meta.glob<Record<string, unknown>>(['../../src/data/schema/**/*.ts'], {
  query: '',
  import: '*',
  eager: true,
});

/** The text columns of the schema, as `table.column`. */
const textColumns = Object.values(schemas)
  .flatMap((schema) => Object.values(schema))
  .filter((value): value is SQLiteTable => is(value, SQLiteTable))
  .flatMap((table) =>
    getTableConfig(table)
      .columns.filter((column) => column.getSQLType() === 'text')
      .map((column) => `${getTableName(table)}.${column.name}`),
  );

const [, section = ''] = readme.split('## Personal data');

/** The columns of the rows of the README. */
const personal = section.split('\n').flatMap((line) => {
  const [, table, columns = ''] = /^\| `(\w+)` \| ((?:`\w+` ?)+)\|/.exec(line) ?? [];
  return Array.from(columns.matchAll(/`(\w+)`/g), ([, column]) => `${table}.${column}`);
});

const impersonal = Object.entries(impersonalColumns).flatMap(([table, columns]) =>
  columns.split(' ').map((column) => `${table}.${column}`),
);

it('the README of src/sales says of every text column that may be personal what becomes of it', () => {
  expect(personal.length).toBeGreaterThan(90);
  expect([...personal, ...impersonal].toSorted()).toEqual([...new Set(textColumns)].toSorted());
});
