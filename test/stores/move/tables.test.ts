import { getTableName, is } from 'drizzle-orm';
import { SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { movedTables, shardTables } from '../../../src/data/shards/moved-tables.ts';

const modules = import.meta.glob<object>(['../../../src/data/schema/store/*.ts'], {
  query: '',
  import: '*',
  eager: true,
});

describe('the tables of a store database', () => {
  it('either move with a store or belong to the shard', () => {
    const names = Object.values(modules)
      .flatMap((module) => Object.values(module))
      .filter((value): value is SQLiteTable => is(value, SQLiteTable))
      .map(getTableName);
    const classified = [...movedTables.map(({ name }) => name), ...shardTables];
    expect(classified.toSorted()).toEqual(names.toSorted());
  });

  it('have a key that finds each of their rows', () => {
    for (const { name, key, owner } of movedTables) {
      const isOnePerStore = key.length === 0;
      if (isOnePerStore) expect([name, owner]).toEqual([name, 'store_id']);
    }
    const single = movedTables.filter(({ key }) => key.length === 0).map(({ name }) => name);
    expect(single.toSorted()).toEqual([
      'event_budgets',
      'order_numbers',
      'store_settings',
      'test_clocks',
      'webhook_pings',
    ]);
  });
});
