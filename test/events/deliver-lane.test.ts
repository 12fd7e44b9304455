import { describe, expect, it } from 'vitest';
import { start, db, lane, consumer, ok, hangs } from '../support/lanes.ts';

describe('a lane', () => {
  it('is drained to its end over several leases, each asking for the next', async () => {
    const to = await lane({ events: 130 });
    const run = consumer(ok);
    for (const rest of [true, true, false]) {
      await run.drain(to.id);
      expect(run.hints.splice(0)).toEqual(rest ? [{ endpoint: to.id, delaySeconds: 0 }] : []);
    }
    expect(new Set(run.ids()).size).toBe(130);
    expect(run.requests).toHaveLength(130);
  });

  it('that failed and is ordered sends only its oldest delivery until that passes, then the rest', async () => {
    const to = await lane({ events: 5, ordered: true });
    const run = consumer(
      (_request, index) => new Response(null, { status: index < 2 ? 503 : 204 }),
    );
    await run.drain(to.id);
    run.clock.now += 5_000;
    await run.drain(to.id);
    expect(run.ids()).toEqual([to.eventId(1), to.eventId(1)]);
    run.clock.now += 30_000;
    await run.drain(to.id);
    expect(run.ids()).toHaveLength(3);
    expect(await to.endpoint()).toMatchObject({ fail_streak: 0, wake_at: run.clock.now });
    await run.drain(to.id);
    expect(run.ids().slice(3)).toEqual([2, 3, 4, 5].map(to.eventId));
  });

  it('counts failures side by side as one, and a success beside them does not reopen it', async () => {
    const to = await lane({ events: 10, concurrency: 5 });
    const run = consumer(
      (_request, index) => new Response(null, { status: index === 1 ? 200 : 500 }),
    );
    await run.drain(to.id);
    expect(run.requests).toHaveLength(2);
    expect(await to.endpoint()).toMatchObject({ fail_streak: 1, wake_at: start + 5_000 });
  });

  it('that hangs gets two requests, however many it might have under way', async () => {
    const to = await lane({ events: 9, concurrency: 5, timeoutMs: 50 });
    const run = consumer(hangs);
    await run.drain(to.id);
    expect(run.requests).toHaveLength(2);
  });

  it.each([
    ['3', { concurrency: 3 }, 3],
    ['9, within the five of a consumer', { concurrency: 9 }, 5],
    ['one, in order', { concurrency: 3, ordered: true }, 1],
  ])('keeps to its concurrency: %s', async (_name, wanted, expected) => {
    const to = await lane({ ...wanted, events: 12 });
    let busy = 0;
    let most = 0;
    const run = consumer(async () => {
      most = Math.max(most, (busy += 1));
      await new Promise((resolve) => setTimeout(resolve, 2));
      busy -= 1;
      return new Response();
    });
    await run.drain(to.id);
    expect(most).toBe(expected);
    expect(run.ids()).toEqual((await to.deliveries()).map((delivery) => delivery.event_id));
  });

  it('is not held up by a lane that hangs beside it', async () => {
    const [slow, quick] = [await lane({ events: 9, timeoutMs: 1_500 }), await lane({ events: 30 })];
    const run = consumer((request, index) =>
      request.headers.get('x-service-delivery-id')?.startsWith(`${slow.id}-`)
        ? hangs(request, index)
        : new Response(),
    );
    const draining = run.drain(slow.id, quick.id);
    await expect
      .poll(() => quick.endpoint(), { timeout: 1_400 })
      .toMatchObject({ wake_at: null, lease_until: 0 });
    expect(await slow.endpoint()).toMatchObject({ lease_until: start + 60_000 });
    await draining;
    expect(await slow.endpoint()).toMatchObject({ fail_streak: 1, lease_until: 0 });
  });

  it.each([
    ['paused', 1],
    ['disabled', 2],
    ['deleted', 3],
  ])('fault 10: of a %s endpoint is not drained', async (_name, status) => {
    const to = await lane({ status });
    const run = consumer(ok);
    expect(await run.drain(to.id)).toMatchObject({ ackAll: true });
    expect(run.requests).toEqual([]);
    expect(await to.endpoint()).toMatchObject({ lease_gen: 0 });
  });

  it('takes no more bodies than 4 MB, but always one', async () => {
    const to = await lane({ events: 5, body: 'x'.repeat(1_500_000) });
    const run = consumer(ok);
    await run.drain(to.id);
    expect(run.requests).toHaveLength(3);
  });

  it('starts no send after 20 s', async () => {
    const to = await lane({ events: 10, concurrency: 1 });
    const run = consumer(() => {
      run.clock.now += 6_000;
      return new Response();
    });
    await run.drain(to.id);
    expect(run.requests).toHaveLength(4);
    expect(await to.endpoint()).toMatchObject({ wake_at: run.clock.now, lease_until: 0 });
    expect(run.hints).toEqual([{ endpoint: to.id, delaySeconds: 0 }]);
  });

  it('whose secret cannot be unsealed rests without blame', async () => {
    const to = await lane();
    await db
      .prepare('update webhook_endpoints set store_id = store_id + 1 where id = ?')
      .bind(to.id)
      .run();
    const run = consumer(ok);
    await run.drain(to.id);
    expect(run.requests).toEqual([]);
    expect(await to.endpoint()).toMatchObject({ wake_at: start + 600_000, fail_streak: 0 });
  });

  it('costs few rows per delivery, however many were done before', async () => {
    const to = await lane({ events: 10_000 });
    const done = 'update webhook_deliveries set state = 1 where endpoint_id = ? and seq <= 9940';
    await db.prepare(done).bind(to.id).run();
    let read = 0;
    const run = consumer(ok, async (all) => {
      const results = await db.batch<never>(all);
      for (const { meta } of results) read += meta.rows_read;
      return results;
    });
    await run.drain(to.id);
    expect(run.requests).toHaveLength(60);
    expect(read / 60).toBeLessThan(10);
  });
});
