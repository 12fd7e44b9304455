import { describe, expect, it } from 'vitest';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { disableFailing } from '../../../src/webhooks/sweep/failing.ts';
import { closeInactiveDeliveries } from '../../../src/webhooks/sweep/inactive.ts';
import { createConsumer, db, insertEndpoint, startTime } from '../../support/webhooks/consumer.ts';
import { noticesOf } from '../../support/webhooks/delivery-log.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';

const hour = 3_600_000;

async function insertFailing(options: { count?: number; warned?: number } = {}) {
  const target = await insertEndpoint({ events: 3 });
  await db
    .prepare(
      `update webhook_endpoints set first_failure_at = ?, failure_count = ?, consecutive_failures = ?2, warning_level = ?
       where id = ?`,
    )
    .bind(startTime, options.count ?? 12, options.warned ?? 0, target.id)
    .run();
  return {
    ...target,
    notices: async () => (await noticesOf(target.id)).map(({ kind }) => kind),
  };
}

describe('an endpoint that keeps failing', () => {
  it('fault 42: gets warnings after 24 and 72 h and is disabled after 120 h, each once under concurrency', async () => {
    const target = await insertFailing();
    const noticesByHour: [number, string[]][] = [];
    for (const hours of [23.99, 24, 48, 71.99, 72, 119.99, 120, 500]) {
      const context = sweepContextAt(startTime + hours * hour);
      await Promise.all([
        disableFailing(context),
        disableFailing(context),
        disableFailing(context),
      ]);
      noticesByHour.push([hours, await target.notices()]);
    }
    expect(noticesByHour).toEqual([
      [23.99, []],
      [24, ['failing_24h']],
      [48, ['failing_24h']],
      [71.99, ['failing_24h']],
      [72, ['failing_24h', 'failing_72h']],
      [119.99, ['failing_24h', 'failing_72h']],
      [120, ['failing_24h', 'failing_72h', 'disabled']],
      [500, ['failing_24h', 'failing_72h', 'disabled']],
    ]);
    expect(await target.endpoint()).toMatchObject({
      status: EndpointStatus.autoDisabled,
      updated_at: startTime + 120 * hour,
    });
  });

  it('has its open deliveries held when it is disabled, and none given up', async () => {
    const target = await insertFailing();
    await disableFailing(sweepContextAt(startTime + 120 * hour));
    await closeInactiveDeliveries(sweepContextAt(startTime + 120 * hour));
    expect((await target.deliveries()).map(({ state }) => state)).toEqual(
      Array(3).fill(DeliveryState.held),
    );
    expect(await target.endpoint()).toMatchObject({ next_attempt_at: null });
  });

  it('stays active with fewer than ten counted failures', async () => {
    const target = await insertFailing({ count: 9 });
    await disableFailing(sweepContextAt(startTime + 130 * hour));
    expect(await target.notices()).toEqual(['failing_72h']);
    expect(await target.endpoint()).toMatchObject({
      status: EndpointStatus.active,
      warning_level: 2,
    });
  });

  it('gets only the last notice when the sweep is late', async () => {
    const target = await insertFailing();
    await disableFailing(sweepContextAt(startTime + 80 * hour));
    expect(await target.notices()).toEqual(['failing_72h']);
  });

  it('gets no notice while it is paused', async () => {
    const target = await insertFailing();
    await db.prepare('update webhook_endpoints set status = 1 where id = ?').bind(target.id).run();
    await disableFailing(sweepContextAt(startTime + 130 * hour));
    expect(await target.notices()).toEqual([]);
  });

  it('fault 43: has all counters and warnings reset by one success after 119 h', async () => {
    const target = await insertFailing({ warned: 2 });
    const run = createConsumer(() => new Response());
    run.clock.now = startTime + 119 * hour;
    await run.deliver(target.id);
    expect(await target.endpoint()).toMatchObject({
      first_failure_at: null,
      failure_count: 0,
      warning_level: 0,
    });
    await disableFailing(sweepContextAt(startTime + 120 * hour));
    expect(await target.notices()).toEqual([]);
    expect(await target.endpoint()).toMatchObject({ status: EndpointStatus.active });
  });

  it.each([1, 4])(
    'fault 41: costs one probe per retry step for 120 h with %i waiting deliveries, which are then held',
    async (events) => {
      const target = await insertEndpoint({ events });
      const run = createConsumer(() => new Response(null, { status: 500 }));
      const times: number[] = [];
      for (
        let nextAt: unknown = startTime;
        typeof nextAt === 'number' && nextAt < startTime + 120 * hour;
      ) {
        run.clock.now = nextAt;
        times.push(run.requests.length);
        await run.deliver(target.id);
        nextAt = (await target.endpoint())?.next_attempt_at;
      }
      // The first run sends two; after that each wake-up is one request.
      expect(times.slice(1).map((count, index) => count - (times[index] ?? 0))).toEqual([
        Math.min(events, 2),
        ...Array(times.length - 2).fill(1),
      ]);
      const hours = (run.clock.now - startTime) / hour;
      expect(hours).toBeGreaterThan(108);
      expect((await target.deliveries()).map(({ state }) => state)).toEqual(
        Array(events).fill(DeliveryState.open),
      );
      await disableFailing(sweepContextAt(startTime + 120 * hour));
      await closeInactiveDeliveries(sweepContextAt(startTime + 120 * hour));
      expect(await target.endpoint()).toMatchObject({ status: EndpointStatus.autoDisabled });
      expect((await target.deliveries()).map(({ state }) => state)).toEqual(
        Array(events).fill(DeliveryState.held),
      );
    },
  );
});
