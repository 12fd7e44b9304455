import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { firstIdOfShard, numberShardStatements } from '../../../src/data/shards/shard-numbers.ts';
import { createSellingStore, orderBody } from '../../support/fixtures/selling-store.ts';

const numberAgain = (database: D1Database, shard: number) =>
  database.batch(numberShardStatements(shard).map((sql) => database.prepare(sql)));

describe('the numbers of a shard', () => {
  it('are so far apart that 131,072 shards have safe ids', () => {
    expect(firstIdOfShard(0)).toBe(0);
    expect(firstIdOfShard(1)).toBe(68_719_476_736);
    expect(firstIdOfShard(131_072)).toBe(2 ** 53);
  });

  it('begin all ids of a store, counted or reserved, and the API takes them in paths and bodies', async () => {
    const shop = await createSellingStore({ shard: 1 });
    const order = await shop.api(
      'POST /orders',
      orderBody(shop, { payment_id: shop.payments.pix }),
    );
    const ids = [
      ...shop.skuIds,
      shop.customerId,
      shop.addressId,
      shop.payments.pix,
      order.body.data.id,
    ];
    for (const id of ids) {
      expect(id).toBeGreaterThan(firstIdOfShard(1));
      expect(id).toBeLessThan(firstIdOfShard(2));
    }
    const found = await shop.api(`GET /customers/${shop.customerId}/addresses/${shop.addressId}`);
    expect(found.body.data.id).toBe(shop.addressId);
  });

  it('do not change when a shard with data is numbered again', async () => {
    const shop = await createSellingStore();
    await numberAgain(env.STORE_0, 0);
    await numberAgain(env.STORE_1, 1);
    const first = await shop.api('POST /catalog/brands', { name: 'First', active: true });
    await numberAgain(env.STORE_0, 0);
    const second = await shop.api('POST /catalog/brands', { name: 'Second', active: true });
    expect(second.body.data.id).toBeGreaterThan(first.body.data.id);
  });

  it('are refused by the database of another shard, which stays as it is', async () => {
    await expect(numberAgain(env.STORE_1, 2)).rejects.toThrow('shard_number');
    expect(await env.STORE_1.prepare('select number from shard_identity').first('number')).toBe(1);
  });
});
