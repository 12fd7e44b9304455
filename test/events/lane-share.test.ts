import { describe, expect, it } from 'vitest';
import { consumer, db, lane, ok, start, type Receiver, type Wanted } from '../support/lanes.ts';

const slowly: Receiver = async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return new Response();
};

/** A consumer whose runs are left to a context as soon as they may be, and all that was left. */
function leaving(receive: Receiver, batch?: D1Database['batch']) {
  const left: Promise<unknown>[] = [];
  const run = consumer(receive, batch, { waitUntil: (work) => void left.push(work) });
  return { run, ended: () => Promise.all(left) };
}

describe('a lane with more than a page', () => {
  it('is shared once its receiver takes something: helpers come, and nothing is sent twice', async () => {
    const to = await lane({ events: 400, concurrency: 5 });
    const { run, ended } = leaving(slowly);
    const first = run.drain(to.id);
    await expect.poll(() => run.calls.length).toBe(6);
    // One for each page of sixty behind the first.
    expect(run.calls.map(({ body }) => body.help)).toEqual(
      [1, 2, 3, 4, 5, 6].map((worker) => ({ generation: 1, worker })),
    );
    expect(new Set(run.calls.map(({ queue }) => queue)).size).toBe(4);
    await Promise.all(run.calls.map(({ body }) => run.handle(body)));
    await first;
    await ended();
    expect(run.ids()).toHaveLength(400);
    expect(new Set(run.ids()).size).toBe(400);
    expect((await to.deliveries()).every(({ state }) => state === 1)).toBe(true);
    expect(await to.endpoint()).toMatchObject({ wake_at: null, lease_until: 0, lease_workers: 0 });
  });

  it('is given back by whoever leaves last, and a call joins once, while its lease lasts', async () => {
    const to = await lane({ events: 100, concurrency: 5 });
    const gate = Promise.withResolvers<void>();
    const isLate = (request: Request) => request.headers.get('webhook-id') === to.eventId(60);
    const { run, ended } = leaving(async (request) => {
      if (isLate(request)) await gate.promise;
      return new Response();
    });
    await run.drain(to.id);
    await expect.poll(() => run.calls.length).toBe(1);
    const call = run.calls[0]!.body;
    await run.handle(call);
    await run.handle(call);
    await expect.poll(() => run.requests.length).toBe(100);
    await expect.poll(() => to.endpoint()).toMatchObject({ lease_workers: 1 });
    expect(await to.endpoint()).toMatchObject({ lease_until: start + 60_000 });
    gate.resolve();
    await ended();
    expect(await to.endpoint()).toMatchObject({ lease_workers: 0, lease_until: 0, wake_at: null });
    await run.handle(call);
    expect(run.requests).toHaveLength(100);
  });

  it('rests for all when its receiver fails one of them, and what went well beside it changes nothing', async () => {
    const to = await lane({ events: 400, concurrency: 5 });
    const seqOf = (request: Request) =>
      Number(request.headers.get('x-service-delivery-id')?.split('-')[1]);
    const { run, ended } = leaving(async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return new Response(null, { status: seqOf(request) === 62 ? 500 : 200 });
    });
    const first = run.drain(to.id);
    await expect.poll(() => run.calls.length).toBe(6);
    await Promise.all(run.calls.map(({ body }) => run.handle(body)));
    await first;
    await ended();
    expect(run.requests.length).toBeLessThan(400);
    expect(new Set(run.ids()).size).toBe(run.requests.length);
    expect(await to.endpoint()).toMatchObject({
      fail_streak: 1,
      wake_at: start + 5_000,
      lease_until: 0,
      lease_workers: 0,
    });
  });

  it.each<[string, Wanted & { isFailing?: boolean }]>([
    ['ordered', { ordered: true }],
    ['to have no more than its concurrency under way', { concurrency: 4 }],
    ['failing', { isFailing: true }],
  ])('is not shared when it is %s', async (_name, { isFailing = false, ...wanted }) => {
    const to = await lane({ events: 130, concurrency: 5, ...wanted });
    if (isFailing) {
      await db
        .prepare('update webhook_endpoints set fail_streak = 1 where id = ?')
        .bind(to.id)
        .run();
    }
    const { run, ended } = leaving(ok);
    await run.drain(to.id);
    await ended();
    expect(run.calls).toEqual([]);
  });
});
