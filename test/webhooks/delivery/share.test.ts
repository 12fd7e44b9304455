import { describe, expect, it } from 'vitest';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import { patience } from '../../support/patience.ts';
import {
  createConsumer,
  db,
  insertEndpoint,
  respondOk,
  startTime,
  type ReceiverHandler,
  type EndpointOptions,
} from '../../support/webhooks/consumer.ts';

const respondSlowly: ReceiverHandler = async () => {
  await new Promise((resolve) => setTimeout(resolve, 5));
  return new Response();
};

/** Creates a consumer whose runs are detached as soon as possible; `ended` waits for them. */
function createDetachingConsumer(receive: ReceiverHandler, batch?: D1Database['batch']) {
  const detached: Promise<unknown>[] = [];
  const run = createConsumer(receive, batch, { waitUntil: (work) => void detached.push(work) });
  return { run, ended: () => Promise.all(detached) };
}

describe('an endpoint with more than one batch', () => {
  it('shares its lease after its first success, and sends nothing twice with seven workers', async () => {
    const target = await insertEndpoint({ events: 400, concurrency: 5 });
    const { run, ended } = createDetachingConsumer(respondSlowly);
    const first = run.deliver(target.id);
    await expect.poll(() => run.joinRequests.length, patience).toBe(6);
    // One for each batch of sixty behind the first; those of different queues have no order.
    const invitations = run.joinRequests.map(({ body }) => body.join);
    expect(invitations.toSorted((one, other) => one!.worker - other!.worker)).toEqual(
      [1, 2, 3, 4, 5, 6].map((worker) => ({ generation: 1, worker })),
    );
    expect(new Set(run.joinRequests.map(({ queue }) => queue)).size).toBe(4);
    await Promise.all(run.joinRequests.map(({ body }) => run.handle(body)));
    await first;
    await ended();
    expect(run.ids()).toHaveLength(400);
    expect(new Set(run.ids()).size).toBe(400);
    expect(
      (await target.deliveries()).every(({ state }) => state === DeliveryState.delivered),
    ).toBe(true);
    expect(await target.endpoint()).toMatchObject({
      next_attempt_at: null,
      lease_until: 0,
      lease_workers: 0,
    });
  });

  it('is released by the last worker; a request joins once and only during the lease', async () => {
    const target = await insertEndpoint({ events: 100, concurrency: 5 });
    const gate = Promise.withResolvers<void>();
    const isLate = (request: Request) => request.headers.get('webhook-id') === target.eventId(60);
    const { run, ended } = createDetachingConsumer(async (request) => {
      if (isLate(request)) await gate.promise;
      return new Response();
    });
    await run.deliver(target.id);
    await expect.poll(() => run.joinRequests.length, patience).toBe(1);
    const joinRequest = run.joinRequests[0]!.body;
    await run.handle(joinRequest);
    await run.handle(joinRequest);
    await expect.poll(() => run.requests.length, patience).toBe(100);
    await expect.poll(() => target.endpoint(), patience).toMatchObject({ lease_workers: 1 });
    expect(await target.endpoint()).toMatchObject({ lease_until: startTime + 60_000 });
    gate.resolve();
    await ended();
    expect(await target.endpoint()).toMatchObject({
      lease_workers: 0,
      lease_until: 0,
      next_attempt_at: null,
    });
    await run.handle(joinRequest);
    expect(run.requests).toHaveLength(100);
  });

  it('backs off for all workers after the first failure of one, whatever the others delivered', async () => {
    const target = await insertEndpoint({ events: 400, concurrency: 5 });
    const seqOf = (request: Request) =>
      Number(request.headers.get('x-service-delivery-id')?.split('-')[1]);
    const { run, ended } = createDetachingConsumer(async (request) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return new Response(null, { status: seqOf(request) === 62 ? 500 : 200 });
    });
    const first = run.deliver(target.id);
    await expect.poll(() => run.joinRequests.length, patience).toBe(6);
    await Promise.all(run.joinRequests.map(({ body }) => run.handle(body)));
    await first;
    await ended();
    expect(run.requests.length).toBeLessThan(400);
    expect(new Set(run.ids()).size).toBe(run.requests.length);
    expect(await target.endpoint()).toMatchObject({
      consecutive_failures: 1,
      next_attempt_at: startTime + 5_000,
      lease_until: 0,
      lease_workers: 0,
    });
  });

  it.each<[string, EndpointOptions & { isFailing?: boolean }]>([
    ['ordered', { ordered: true }],
    ['limited to fewer than five connections', { concurrency: 4 }],
    ['failing', { isFailing: true }],
  ])('is not shared when it is %s', async (_name, { isFailing = false, ...options }) => {
    const target = await insertEndpoint({ events: 130, concurrency: 5, ...options });
    if (isFailing) {
      await db
        .prepare('update webhook_endpoints set consecutive_failures = 1 where id = ?')
        .bind(target.id)
        .run();
    }
    const { run, ended } = createDetachingConsumer(respondOk);
    await run.deliver(target.id);
    await ended();
    expect(run.joinRequests).toEqual([]);
  });
});
