import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { expect, it } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { textStatement } from '../../../src/data/core/open-database.ts';
import { isSelect, markPreparatory, mayChangeData } from '../../../src/data/core/statement.ts';
import { skus } from '../../../src/data/schema/store/catalog-tables.ts';

const database = openDatabase(env.STORE_0);
const statement = (text: string) => textStatement(database, text, []);

it.each([
  'select 1',
  ' \n select updated_at from skus',
  'WITH one as (select 1) select * from one',
  `with recursive up(id) as (
    select id from categories union all select parent_id from up)
  select id, updated_at, deleted_by from up`,
])('knows that %j only reads', (text) => {
  expect([isSelect(statement(text)), mayChangeData(statement(text))]).toEqual([true, false]);
});

it.each([
  'insert into skus (id) values (1)',
  'delete from skus',
  'with one as (select 1) insert into skus (id) select * from one',
  'with one as (select 1)\nupdate skus set price = 1',
  'with one as (select 1) DELETE from skus where id in one',
  'with one as (select 1) replace into skus (id) select * from one',
])('knows that %j may change data', (text) => {
  expect([isSelect(statement(text)), mayChangeData(statement(text))]).toEqual([false, true]);
  expect(mayChangeData(markPreparatory(statement(text)))).toBe(false);
});

it('knows statements of Drizzle', () => {
  expect(isSelect(database.select({ one: sql`1` }).from(skus))).toBe(true);
  expect(isSelect(database.delete(skus))).toBe(false);
});
