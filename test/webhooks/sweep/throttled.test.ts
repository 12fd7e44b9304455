import { describe, expect, it } from 'vitest';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { disableFailing } from '../../../src/webhooks/sweep/failing.ts';
import { notifyThrottled } from '../../../src/webhooks/sweep/throttled.ts';
import { createConsumer, db, insertEndpoint, startTime } from '../../support/webhooks/consumer.ts';
import { noticesOf } from '../../support/webhooks/delivery-log.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';

const hour = 3_600_000;
const throttle = (headers: Record<string, string> = {}) =>
  new Response(null, { status: 429, headers });

/** Inserts an endpoint with a receiver. */
async function insertThrottled(receive: (hours: number) => Response) {
  const target = await insertEndpoint({ events: 3 });
  const run = createConsumer(() => receive((run.clock.now - startTime) / hour));
  return {
    ...target,
    run,
    /** Runs wake-ups and sweeps up to this many hours after the start. */
    async until(hours: number) {
      const end = startTime + hours * hour;
      for (
        let nextAt = (await target.endpoint())?.next_attempt_at;
        typeof nextAt === 'number' && nextAt < end;
      ) {
        run.clock.now = Math.max(run.clock.now, nextAt);
        await run.deliver(target.id);
        await notifyThrottled(sweepContextAt(run.clock.now));
        await disableFailing(sweepContextAt(run.clock.now));
        nextAt = (await target.endpoint())?.next_attempt_at;
      }
      await notifyThrottled(sweepContextAt(end));
    },
    notices: async () =>
      (await noticesOf(target.id)).map(({ kind, at }) => [kind, (at - startTime) / hour]),
  };
}

describe('an endpoint that returns only 429', () => {
  it.each([
    ['without Retry-After', {}],
    ['with Retry-After of twelve hours', { 'retry-after': '43200' }],
  ])('gets one notice after 24 h and stays active %s', async (_how, headers) => {
    const target = await insertThrottled(() => throttle(headers));
    await target.until(23.9);
    expect(await target.notices()).toEqual([]);
    await target.until(24.1);
    expect(await target.notices()).toMatchObject([['throttled_24h', expect.closeTo(24, 0)]]);
    // A failing one would have been disabled after 120 hours.
    await Promise.all([target.until(150), notifyThrottled(sweepContextAt(startTime + 140 * hour))]);
    expect(await target.notices()).toHaveLength(1);
    expect(await target.endpoint()).toMatchObject({
      status: EndpointStatus.active,
      failure_count: 0,
      first_failure_at: null,
    });
    expect((await target.deliveries()).map(({ state }) => state)).toEqual(
      Array(3).fill(DeliveryState.open),
    );
  });

  it('gets another notice after a success in between', async () => {
    const target = await insertThrottled((hours) =>
      hours > 30 && hours < 50 ? new Response() : throttle(),
    );
    await target.until(29);
    expect(await target.notices()).toHaveLength(1);
    await target.until(60);
    expect((await target.deliveries()).map(({ state }) => state)).toEqual(
      Array(3).fill(DeliveryState.delivered),
    );
    await db.batch([
      db
        .prepare('update webhook_deliveries set state = 0, attempts = 0 where endpoint_id = ?')
        .bind(target.id),
      db.prepare('delete from webhook_attempts where endpoint_id = ?').bind(target.id),
      db
        .prepare('update webhook_endpoints set next_attempt_at = ? where id = ?')
        .bind(startTime + 60 * hour, target.id),
    ]);
    await target.until(83.5);
    expect(await target.notices()).toHaveLength(1);
    await target.until(85);
    expect(await target.notices()).toHaveLength(2);
  });

  it('gets the notices of failing endpoints instead when it also fails', async () => {
    const target = await insertThrottled((hours) =>
      hours < 0.001 ? new Response(null, { status: 500 }) : throttle(),
    );
    await target.until(100);
    expect((await target.notices()).map(([kind]) => kind)).toEqual(['failing_24h', 'failing_72h']);
  });

  it('starts over after a pause and resume', async () => {
    const target = await insertThrottled(() => throttle());
    await target.until(20);
    await db
      .prepare(
        'update webhook_endpoints set consecutive_failures = 0, next_attempt_at = ?1, updated_at = ?1 where id = ?2',
      )
      .bind(startTime + 20 * hour, target.id)
      .run();
    await target.until(43);
    expect(await target.notices()).toEqual([]);
    await target.until(45);
    expect(await target.notices()).toHaveLength(1);
  });
});
