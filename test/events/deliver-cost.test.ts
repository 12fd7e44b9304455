import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { counting, measured, type Cost } from '../support/counted.ts';
import { subscribe } from '../support/events.ts';
import { consumer, db, lane, ok } from '../support/lanes.ts';
import { store } from '../support/store.ts';

const nothing = (): Cost => ({ trips: 0, statements: 0, rowsRead: 0, rowsWritten: 0 });

/** A drain of these lanes, and what it cost. */
async function drained(now: number, ...endpoints: number[]) {
  const cost = nothing();
  const counted = counting(env.STORE_0, cost);
  const run = consumer(ok, (all) => counted.batch(all));
  run.clock.now = now;
  await run.drain(...endpoints);
  return { run, cost };
}

describe('what delivering costs', () => {
  it('an event for one subscriber, from the change to the answer: at most 8 rows written', async () => {
    const made = await store();
    const brand = await made.api('POST /catalog/brands', { name: 'Marca', active: true });
    const product = { name: 'p', simple: true, active: true, brand_id: brand.body.data.id };
    const { body } = await made.api('POST /catalog/products', product);
    const path = `PUT /catalog/products/${body.data.id}`;
    const without = await measured(made, path, { priority: 1 });
    const endpoint = await subscribe(made, ['product.updated']);
    const published = await measured(made, path, { priority: 2 });
    const { run, cost } = await drained(Date.now() + 1, endpoint);
    expect(run.requests).toHaveLength(1);
    const written = published.data.rowsWritten - without.data.rowsWritten + cost.rowsWritten;
    expect(written).toBeLessThanOrEqual(8);
    expect(cost.trips).toBe(2);
  });

  it('sixty deliveries of one lane together: at most 1.2 rows written each', async () => {
    const to = await lane({ events: 60 });
    const { run, cost } = await drained(Date.UTC(2026, 0, 1), to.id);
    expect(run.requests).toHaveLength(60);
    expect(cost.rowsWritten / 60).toBeLessThanOrEqual(1.2);
  });

  it.each([1, 60])(
    'fault 72: %i of a lane with 100,000 that are done: at most ten rows read each',
    async (open) => {
      const to = await lane({ events: 100_000 });
      await db
        .prepare('update webhook_deliveries set state = 1 where endpoint_id = ? and seq <= ?')
        .bind(to.id, 100_000 - open)
        .run();
      const { run, cost } = await drained(Date.UTC(2026, 0, 1), to.id);
      expect(run.requests).toHaveLength(open);
      // A drain by itself reads its lane four times over, whatever there is in it.
      expect(cost.rowsRead).toBeLessThanOrEqual(Math.max(30, open * 10));
    },
    // Two hundred thousand rows are written first, and a disk may take its time.
    240_000,
  );
});
