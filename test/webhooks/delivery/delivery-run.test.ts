import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../../src/base/settings.ts';
import { EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { DeliveryRun } from '../../../src/webhooks/delivery/delivery-run.ts';
import type { DeliveryDeps } from '../../../src/webhooks/delivery/deps.ts';
import { maxConcurrentSends } from '../../../src/webhooks/delivery/leased-endpoint.ts';
import { shardSource, type EndpointSource } from '../../../src/webhooks/delivery/result-buffer.ts';
import { StallDetector } from '../../../src/webhooks/delivery/stall-detector.ts';
import configuration from '../../../wrangler.toml?raw';
import { patience } from '../../support/patience.ts';
import {
  startTime,
  db,
  insertEndpoint,
  createConsumer,
  respondOk,
  neverRespond,
  withoutOverdueEndpoints,
} from '../../support/webhooks/consumer.ts';
import { pauseTimers } from '../../support/webhooks/paused-timers.ts';

/** A run of the fast queues, which wakes nobody. */
const runWith = (stallDetector: StallDetector, fetch: DeliveryDeps['fetch']) =>
  new DeliveryRun(
    settingsOf(env),
    { now: () => startTime, random: () => 0, archive: env.ARCHIVE, fetch },
    {
      budgetMs: 20_000,
      isSlow: false,
      stallDetector,
      wake: () => Promise.resolve(),
      requestWorkers: () => Promise.resolve(),
    },
  );

describe('DeliveryRun', () => {
  it('delivers everything over several leases, each of which wakes the next', async () => {
    const target = await insertEndpoint({ events: 130 });
    const run = createConsumer(respondOk);
    for (const hasMore of [true, true, false]) {
      await run.deliver(target.id);
      expect(run.wakeups.splice(0)).toEqual(
        hasMore ? [{ endpoint: target.id, delaySeconds: 0 }] : [],
      );
    }
    expect(new Set(run.ids()).size).toBe(130);
    expect(run.requests).toHaveLength(130);
  });

  it('sends only the oldest delivery of a failing ordered endpoint until it succeeds, then the others', async () => {
    const target = await insertEndpoint({ events: 5, ordered: true });
    const run = createConsumer(
      (_request, index) => new Response(null, { status: index < 2 ? 503 : 204 }),
    );
    await run.deliver(target.id);
    run.clock.now += 5_000;
    await run.deliver(target.id);
    expect(run.ids()).toEqual([target.eventId(1), target.eventId(1)]);
    run.clock.now += 30_000;
    await run.deliver(target.id);
    expect(run.ids()).toHaveLength(3);
    expect(await target.endpoint()).toMatchObject({
      consecutive_failures: 0,
      next_attempt_at: run.clock.now,
    });
    await run.deliver(target.id);
    expect(run.ids().slice(3)).toEqual([2, 3, 4, 5].map(target.eventId));
  });

  it('counts concurrent failures as one step, and keeps the backoff despite a concurrent success', async () => {
    const target = await insertEndpoint({ events: 10, concurrency: 5 });
    const run = createConsumer(
      (_request, index) => new Response(null, { status: index === 1 ? 200 : 500 }),
    );
    await run.deliver(target.id);
    expect(run.requests).toHaveLength(2);
    expect(await target.endpoint()).toMatchObject({
      consecutive_failures: 1,
      next_attempt_at: startTime + 5_000,
    });
  });

  it('sends two requests to an endpoint that hangs, whatever its concurrency', async () => {
    const target = await insertEndpoint({ events: 9, concurrency: 5, timeoutMs: 50 });
    const run = createConsumer(neverRespond);
    await run.deliver(target.id);
    expect(run.requests).toHaveLength(2);
  });

  it.each([
    ['three', { concurrency: 3 }, 3],
    ['nine, limited to five per run', { concurrency: 9 }, 5],
    ['one, when ordered', { concurrency: 3, ordered: true }, 1],
  ])('respects the concurrency of an endpoint: %s', async (_name, options, expected) => {
    const target = await insertEndpoint({ ...options, events: 12 });
    let inFlight = 0;
    let maxInFlight = 0;
    const run = createConsumer(async () => {
      maxInFlight = Math.max(maxInFlight, (inFlight += 1));
      await new Promise((resolve) => setTimeout(resolve, 2));
      inFlight -= 1;
      return new Response();
    });
    await run.deliver(target.id);
    expect(maxInFlight).toBe(expected);
    expect(run.ids()).toEqual((await target.deliveries()).map((delivery) => delivery.event_id));
  });

  it('does not delay an endpoint that shares a run with one that hangs', async () => {
    const [slow, quick] = [
      await insertEndpoint({ events: 9, timeoutMs: 1_500 }),
      await insertEndpoint({ events: 30 }),
    ];
    const run = createConsumer((request, index) =>
      request.headers.get('x-service-delivery-id')?.startsWith(`${slow.id}-`)
        ? neverRespond(request, index)
        : new Response(),
    );
    using timers = pauseTimers();
    const running = run.deliver(slow.id, quick.id);
    await expect
      .poll(() => quick.endpoint(), patience)
      .toMatchObject({ next_attempt_at: null, lease_until: 0 });
    expect(await slow.endpoint()).toMatchObject({ lease_until: startTime + 60_000 });
    await timers.advance(1_500);
    await running;
    expect(await slow.endpoint()).toMatchObject({ consecutive_failures: 1, lease_until: 0 });
  });

  it.each([
    ['paused', EndpointStatus.paused],
    ['disabled', EndpointStatus.autoDisabled],
    ['deleted', EndpointStatus.deleted],
  ])('fault 10: sends nothing for a %s endpoint', async (_name, status) => {
    const target = await insertEndpoint({ status });
    const run = createConsumer(respondOk);
    expect(await run.deliver(target.id)).toMatchObject({ ackAll: true });
    expect(run.requests).toEqual([]);
    expect(await target.endpoint()).toMatchObject({ lease_generation: 0 });
  });

  it('loads at most 4 MB of bodies, but always one body', async () => {
    const target = await insertEndpoint({ events: 5, body: 'x'.repeat(1_500_000) });
    const run = createConsumer(respondOk);
    await run.deliver(target.id);
    expect(run.requests).toHaveLength(3);
  });

  it('starts no send after 20 s', async () => {
    const target = await insertEndpoint({ events: 10, concurrency: 1 });
    const run = createConsumer(() => {
      run.clock.now += 6_000;
      return new Response();
    });
    await run.deliver(target.id);
    expect(run.requests).toHaveLength(4);
    expect(await target.endpoint()).toMatchObject({
      next_attempt_at: run.clock.now,
      lease_until: 0,
    });
    expect(run.wakeups).toEqual([{ endpoint: target.id, delaySeconds: 0 }]);
  });

  it('backs off without counting a failure when the secret cannot be decrypted', async () => {
    const [target, other] = [await insertEndpoint(), await insertEndpoint()];
    await db
      .prepare(
        `update webhook_endpoints set secret_current = (
          select secret_current from webhook_endpoints where id = ?2) where id = ?1`,
      )
      .bind(target.id, other.id)
      .run();
    const run = createConsumer(respondOk);
    await run.deliver(target.id);
    expect(run.requests).toEqual([]);
    expect(await target.endpoint()).toMatchObject({
      next_attempt_at: startTime + 600_000,
      consecutive_failures: 0,
    });
  });

  it('claims nothing more for an endpoint whose release is repeated after a database error', async () => {
    const [shared, slow] = [
      await insertEndpoint({ events: 100, concurrency: 5 }),
      await insertEndpoint({ events: 2 }),
    ];
    const [first, answer, failure] = [1, 2, 3].map(() => Promise.withResolvers<void>());
    // It took the lease of the first endpoint, and has its last send on the way.
    const owner = createConsumer(async (request) => {
      if (request.headers.get('webhook-id') === shared.eventId(60)) await first!.promise;
      return new Response();
    });
    const owning = owner.deliver(shared.id);
    await expect.poll(() => owner.joinRequests.length, patience).toBe(1);
    const { join } = owner.joinRequests[0]!.body;

    const joined = shardSource({
      shard: 0,
      db: withoutOverdueEndpoints() as unknown as D1Database,
      endpoints: [slow.id],
      joins: [{ ...join!, endpoint: shared.id }],
    });
    const isShared = ({ id }: { id: number }) => id === shared.id;
    let releases = 0;
    const claims: number[] = [];
    const source: EndpointSource = {
      ...joined,
      // Because of another database the run only stalls, after the last send of the shared
      // endpoint; it is never idle.
      acquire: async (options) => ({
        ...(await joined.acquire(options)),
        failures: [new Error('Network connection lost.')],
      }),
      claimMore: (endpoint, options) => {
        if (releases === 1) claims.push(endpoint.id);
        return joined.claimMore(endpoint, options);
      },
      write: async (attempts, releasing, now) => {
        if (releasing.some(isShared) && (releases += 1) === 1) {
          await failure!.promise;
          throw new Error('Network connection lost.');
        }
        return joined.write(attempts, releasing, now);
      },
    };
    const sent: string[] = [];
    const stallDetector = new StallDetector();
    const run = runWith(stallDetector, async (_url, { headers }) => {
      const id = new Headers(headers).get('x-service-delivery-id') ?? '';
      sent.push(id);
      if (id === `${slow.id}-1`) await answer!.promise;
      return new Response();
    });
    void stallDetector.stalled.then(() => (stallDetector.isDetached = true));
    const running = run.execute([source]);
    await expect.poll(() => releases, patience).toBe(1);
    answer!.resolve();
    await expect.poll(() => sent, patience).toContain(`${slow.id}-2`);
    failure!.resolve();
    await running;
    expect(releases).toBe(2);
    expect(claims).toEqual([]);
    expect(sent.filter((id) => id.startsWith(`${shared.id}-`))).toHaveLength(20);
    first!.resolve();
    await owning;
    await owner.deliver(shared.id);
    expect(new Set([...owner.ids(), ...sent]).size).toBe(102);
    expect(owner.ids().length + sent.length).toBe(102);
  });

  it('lets its queue go on once every endpoint of a batch is being sent to', async () => {
    const sizes = [
      ...configuration.matchAll(/"webhook-(?:fast|slow)-\d"\nmax_batch_size = (\d+)/g),
    ];
    expect(sizes).toHaveLength(6);
    const size = Math.max(...sizes.map(([, size]) => Number(size)));
    const targets = await Promise.all(
      Array.from({ length: size }, () => insertEndpoint({ events: 2 })),
    );
    const answer = Promise.withResolvers<void>();
    let sent = 0;
    const stallDetector = new StallDetector(2 ** 30);
    const run = runWith(stallDetector, async () => {
      sent += 1;
      await answer.promise;
      return new Response();
    });
    const endpoints = targets.map(({ id }) => id);
    const batch = { shard: 0, db: withoutOverdueEndpoints() as unknown as D1Database };
    const running = run.execute([shardSource({ ...batch, endpoints, joins: [] })]);
    let reason = '';
    void stallDetector.stalled.then((stalled) => (reason = stalled));
    await expect.poll(() => sent, patience).toBe(Math.min(size, maxConcurrentSends));
    expect(reason).toBe('idle');
    answer.resolve();
    await running;
    expect(sent).toBe(size * 2);
  });

  it('reads few rows per delivery, however many are finished', async () => {
    const target = await insertEndpoint({ events: 2_000 });
    const done = 'update webhook_deliveries set state = 1 where endpoint_id = ? and seq <= 1940';
    await db.prepare(done).bind(target.id).run();
    let read = 0;
    const run = createConsumer(respondOk, async (all) => {
      const results = await db.batch<never>(all);
      for (const { meta } of results) read += meta.rows_read;
      return results;
    });
    await run.deliver(target.id);
    expect(run.requests).toHaveLength(60);
    expect(read / 60).toBeLessThan(10);
  });
});
