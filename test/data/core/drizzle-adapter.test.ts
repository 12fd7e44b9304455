import { env } from 'cloudflare:workers';
import { sql, type SQL } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import {
  connectDrizzle,
  decoderOfColumn,
  decoderOfSql,
  fillPlaceholders,
  preparable,
  prepareNow,
  toParameter,
  toQuery,
} from '../../../src/data/core/drizzle-adapter.ts';
import { computedNumber } from '../../../src/data/queries/relations.ts';
import { brands } from '../../../src/data/schema/store/catalog-tables.ts';
import { customizations } from '../../../src/data/schema/store/product-extras-tables.ts';

const run = { one: <T>(call: Promise<T>) => call, batch: async () => [] };
const database = connectDrizzle(env.STORE_0, run);
const one = <T>(select: SQL<T>) =>
  database
    .select({ one: select.as('one') })
    .from(brands)
    .limit(0);

// A failure here names what a new version of Drizzle made otherwise, and so what else must change.
describe('the text of a query', () => {
  it('has a question mark for each value', () => {
    expect(toQuery(sql`select ${1} as ${sql.identifier('a')}`)).toMatchObject({
      sql: 'select ? as "a"',
      params: [1],
    });
    expect(toQuery(sql`select ${'it is'}`.inlineParams()).sql).toBe("select 'it is'");
    expect(toQuery(database.select({ id: brands.id }).from(brands)).sql).toMatch(
      /^select "id" from/,
    );
  });

  it('keeps placeholders, bare or as values of a column, until they are filled', () => {
    const { placeholder } = sql;
    const values = { name: placeholder('a'), active: placeholder('b') };
    const { params } = toQuery(database.update(brands).set(values as never));
    const fill = (values: Record<string, unknown>) =>
      params.map((param) => toParameter(param)(values));
    expect(fill({ a: 'x', b: true })).toEqual(['x', 1]);
    expect(fill({ a: null, b: null })).toEqual([null, null]);
    expect(toParameter(7)({})).toBe(7);
    expect(fillPlaceholders(toQuery(sql`select ${placeholder('a')}`).params, { a: 1 })).toEqual([
      1,
    ]);
  });
});

describe('a statement', () => {
  it('is prepared with its text, its values, and a decoder of its rows', () => {
    const prepared = prepareNow(database.select({ id: brands.id }).from(brands));
    expect(prepared.getQuery()).toMatchObject({ sql: 'select "id" from "brands"', params: [] });
    expect(prepared.stmt).toHaveProperty('bind');
    const result = { results: [{ id: 7 }] } as unknown as Parameters<typeof prepared.mapResult>[0];
    expect(prepared.mapResult(result, true)).toEqual([{ id: 7 }]);
  });

  it('is what says how it is prepared, in a batch of Drizzle', async () => {
    const prepared = { stmt: env.STORE_0.prepare('select 1'), mapResult: () => 'mapped' };
    const getQuery = () => ({ sql: 'select 1', params: [] });
    const made = preparable(() => ({ ...prepared, getQuery }));
    let seen: unknown;
    const batching = connectDrizzle(env.STORE_0, {
      ...run,
      batch: async (statements) => {
        seen = statements.map((statement) => prepareNow(statement).mapResult({} as never));
        return ['result'];
      },
    });
    expect(await batching.batch([made as never])).toEqual(['result']);
    expect(seen).toEqual(['mapped']);
  });

  it('runs by itself in the given way, whose error it throws as it is', async () => {
    const failure = new Error('silent');
    const failing = connectDrizzle(env.STORE_0, { ...run, one: () => Promise.reject(failure) });
    await expect(failing.select().from(brands)).rejects.toBe(failure);
    await expect(failing.delete(brands)).rejects.toBe(failure);
    expect(await one(sql`1`)).toEqual([]);
  });
});

describe('the decoder', () => {
  it('of a column is there where the stored form differs', () => {
    expect(decoderOfColumn(brands.active)?.(1)).toBe(true);
    expect(decoderOfColumn(customizations.values)?.('["a"]')).toEqual(['a']);
    expect(decoderOfColumn(brands.name)).toBeUndefined();
    expect(decoderOfColumn(brands.id)).toBeUndefined();
  });

  it('of a computed column is the one that it was made with', () => {
    expect(decoderOfSql(sql`1`.mapWith(String))(7)).toBe('7');
    expect(decoderOfSql(computedNumber(sql`1`))(7)).toBe(7);
    expect(decoderOfSql(sql`1`)('as it is')).toBe('as it is');
  });
});
