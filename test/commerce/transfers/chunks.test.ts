import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { shardBinding } from '../../../src/data/core/open-database.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { createBrand, productLine, upTo } from '../../support/transfers/catalog.ts';
import { finish, startQuietImport } from '../../support/transfers/work.ts';

/** A database that counts its batches, and fails those in which a statement has this text as a value. */
function countingDatabase(binding: D1Database, poison?: string) {
  const poisoned = new WeakSet<D1PreparedStatement>();
  const calls = { batches: 0, failed: 0 };
  const watch = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get: (target, name) => {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        if (name !== 'bind') return value.bind(target) as unknown;
        return (...values: unknown[]) => {
          const bound = target.bind(...values);
          if (poison && values.some((one) => one === poison)) poisoned.add(bound);
          return bound;
        };
      },
    });
  const database = new Proxy(binding, {
    get: (target, name) => {
      if (name === 'prepare') return (text: string) => watch(target.prepare(text));
      if (name === 'batch') {
        return (statements: D1PreparedStatement[]) => {
          calls.batches += 1;
          if (!statements.some((one) => poisoned.has(one))) return target.batch(statements);
          calls.failed += 1;
          return Promise.reject(new Error('a fault'));
        };
      }
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
  });
  return { database, calls };
}

async function importCounted(store: TestStore, lines: readonly unknown[], poison?: string) {
  const { database, calls } = countingDatabase(shardBinding(env, store.shard), poison);
  const started = await startQuietImport(store, lines);
  const ended = await finish(store, started, { binding: database });
  return { ended, calls };
}

describe('the chunks of an import', () => {
  it('grow while lines change nothing, and hold four lines that write', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const lines = upTo(100).map((n) => productLine(n, brand));
    const first = await importCounted(store, lines);
    expect(first.ended).toMatchObject({ state: 'done', created: 100 });
    // 25 chunks of two round trips, and a reservation of ids.
    expect(first.calls.batches).toBe(51);
    const again = await importCounted(store, lines);
    expect(again.ended).toMatchObject({ state: 'done', unchanged: 100 });
    // Chunks of 4, 8, 16, 32, 32 and 8 lines.
    expect(again.calls.batches).toBe(12);
    const renamed = lines.map((line, index) => (index < 60 ? line : { ...line, name: 'New' }));
    const changed = await importCounted(store, renamed);
    expect(changed.ended).toMatchObject({ state: 'done', unchanged: 60, updated: 40 });
    // Chunks of 4, 8, 16 and 32 lines, then ten of four changed lines.
    expect(changed.calls.batches).toBe(28);
  });

  it('end behind the line that fills 1 MiB', async () => {
    const store = await createTestStore();
    const long = `{"name": "${'x'.repeat(600_000)}`;
    const { ended, calls } = await importCounted(store, [long, long, long, '', '{']);
    expect(ended).toMatchObject({ state: 'done', done: 4, failed: 4 });
    // Two chunks, which read what they refer to and commit.
    expect(calls.batches).toBe(4);
  });

  it('are halved when the database refuses them, until one line is left', async () => {
    const store = await createTestStore();
    const brand = await createBrand(store);
    const lines = upTo(12).map((n) =>
      productLine(n, brand, { name: n === 7 ? 'Poison' : `Hat ${n}` }),
    );
    const { ended, calls } = await importCounted(store, lines, 'Poison');
    expect(ended).toMatchObject({ state: 'done', done: 12, created: 11, failed: 1 });
    // Four lines, two, then five attempts at one.
    expect(calls.failed).toBe(7);
  });
});
