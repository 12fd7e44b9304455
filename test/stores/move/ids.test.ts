import { applyD1Migrations } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { firstIdOfShard, numberShardStatements } from '../../../src/data/shards/shard-numbers.ts';
import { runAfterRestore } from '../../support/after-restore.ts';
import { callWithBindings } from '../../support/api/measure.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { move, runMoves } from '../../support/move/run-moves.ts';

// Databases of this file only: a shard that takes a block counts far ahead from then on.
const databases = [env.SPARE_0, env.SPARE_1] as const;
const bindings = { ...env, STORE_0: databases[0], STORE_1: databases[1] };

beforeAll(async () => {
  for (const [shard, db] of databases.entries()) {
    await applyD1Migrations(db, env.STORE_MIGRATIONS);
    await db.batch(numberShardStatements(shard).map((sql) => db.prepare(sql)));
  }
});

/** Creates a store in one of these databases. */
async function createStore(shard: 0 | 1): Promise<TestStore> {
  const store = await createTestStore({ shard });
  await databases[shard]
    .prepare('insert into placements (store_id, works) values (?, 1)')
    .bind(store.id)
    .run();
  return store;
}

const call = (store: TestStore, request: string, body?: object) =>
  callWithBindings(store, request, body, bindings);

const addBrand = (store: TestStore, name: string) =>
  call(store, 'POST /catalog/brands', { name, active: true });

describe('the ids of stores that move', () => {
  it('are given out once over all shards, also by the stores that were there', async () => {
    const [far, near] = [await createStore(1), await createStore(0)];
    const ids: number[] = [];
    const add = async (store: TestStore, name: string) => {
      const { body } = await addBrand(store, name);
      ids.push(body.data.id);
    };
    await add(far, 'Old');
    await add(near, 'Old');
    expect(Math.min(...ids)).toBeLessThan(100);
    await move(far, 1, 0, { bindings });
    const other = await createStore(1);
    for (const name of ['One', 'Two']) for (const shop of [far, near, other]) await add(shop, name);
    await move(far, 0, 1, { bindings });
    await move(near, 0, 1, { bindings });
    for (const name of ['Three', 'Four']) {
      for (const shop of [far, near, other]) await add(shop, name);
    }
    expect(new Set(ids).size).toBe(ids.length);
    // Behind all ids that are counted from the number of a shard.
    expect(Math.max(...ids)).toBeGreaterThan(firstIdOfShard(65_536));
    expect(Math.max(...ids)).toBeLessThan(Number.MAX_SAFE_INTEGER);
    const listed = await call(far, 'GET /catalog/brands?limit=10');
    expect(listed.body.data).toHaveLength(5);
  });

  it('come back with what changed meanwhile, although old data lie there', async () => {
    const shop = await createStore(0);
    await addBrand(shop, 'Before');
    await move(shop, 0, 1, { bindings });
    await addBrand(shop, 'Abroad');
    const before = await call(shop, 'GET /catalog/brands');
    await move(shop, 1, 0, { bindings });
    const after = await call(shop, 'GET /catalog/brands');
    expect([after.body, after.body.data.length]).toEqual([before.body, 2]);
    const epoch = databases[0].prepare('select epoch from placements where store_id = ?');
    expect(await epoch.bind(shop.id).first('epoch')).toBe(2);
  });
});

describe('a shard that was restored', () => {
  it('changes no store (503) until the directory says where it is, and forwards those that moved', async () => {
    const [stayed, moved] = [await createStore(0), await createStore(0)];
    await move(moved, 0, 1, { bindings });
    // As if the database were that of the time before the move.
    await databases[0]
      .prepare('update placements set state = 0, to_shard = null where store_id = ?')
      .bind(moved.id)
      .run();
    await runAfterRestore(databases[0]);
    const refused = await addBrand(stayed, 'Too soon');
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([503, '2']);
    expect((await call(stayed, 'GET /catalog/brands')).status).toBe(200);
    await runMoves(0, Date.now(), bindings);
    expect((await addBrand(stayed, 'Now')).status).toBe(201);
    const placement = databases[0].prepare('select * from placements where store_id = ?');
    expect(await placement.bind(moved.id).first()).toMatchObject({ state: 2, to_shard: 1 });
    expect((await addBrand(moved, 'There')).status).toBe(201);
  });
});
