import { describe, expect, it } from 'vitest';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import { importSigningKey, createSignatureHeaders } from '../../../src/webhooks/signature.ts';
import {
  startTime,
  db,
  insertEndpoint,
  createConsumer,
  respondOk,
} from '../../support/webhooks/consumer.ts';

const seqOf = (request: Request) =>
  Number(request.headers.get('x-service-delivery-id')?.split('-')[1]);

describe('a delivery', () => {
  it('is sent once, signed, and recorded without an attempt row', async () => {
    const target = await insertEndpoint();
    const run = createConsumer(respondOk);
    const result = await run.deliver(target.id, target.id);
    expect(result).toMatchObject({ ackAll: true, retryBatch: { retry: false } });
    expect(run.requests).toHaveLength(1);
    const [request] = run.requests;
    const body = new Uint8Array((await request?.arrayBuffer()) ?? new ArrayBuffer(0));
    const signed = await createSignatureHeaders(
      'Service',
      { primary: await importSigningKey(target.secret) },
      {
        id: target.eventId(1),
        at: startTime,
        body,
      },
    );
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      ...Object.fromEntries(Object.entries(signed).map(([k, v]) => [k.toLowerCase(), v])),
      'x-service-shop-domain': 'loja',
      'x-service-attempt': '1',
    });
    expect(await target.deliveries()).toMatchObject([
      {
        state: DeliveryState.delivered,
        attempts: 1,
        response_status: 200,
        error: null,
        duration_ms: 0,
        done_at: startTime,
      },
    ]);
    expect(await target.attempts()).toEqual([]);
    expect(await target.endpoint()).toMatchObject({
      next_attempt_at: null,
      lease_until: 0,
      consecutive_failures: 0,
      last_success_at: startTime,
    });
    expect(run.wakeups).toEqual([]);
  });

  it('fault 30: is attempted four times at the promised times when it gets 500 three times and then 200', async () => {
    const target = await insertEndpoint();
    const run = createConsumer(
      (_request, index) => new Response('no', { status: index < 3 ? 500 : 200 }),
    );
    for (const wait of [5, 30, 120]) {
      await run.deliver(target.id);
      expect(await target.endpoint()).toMatchObject({
        next_attempt_at: run.clock.now + wait * 1000,
        first_failure_at: startTime,
        lease_until: 0,
      });
      run.clock.now += wait * 1000 - 1;
      const before = run.requests.length;
      await run.deliver(target.id);
      expect(run.requests).toHaveLength(before);
      run.clock.now += 1;
    }
    await run.deliver(target.id);
    expect(run.wakeups.map((wakeup) => wakeup.delaySeconds)).toEqual([5, 30]);
    expect(new Set(run.ids())).toEqual(new Set([target.eventId(1)]));
    expect(await target.attempts()).toMatchObject([
      {
        number: 1,
        response_status: 500,
        error: 'http_5xx',
        at: startTime,
        host: 'receiver.example',
      },
      { number: 2, response_status: 500, at: startTime + 5_000 },
      { number: 3, response_status: 500, at: startTime + 35_000 },
      { number: 4, response_status: 200, error: null, at: startTime + 155_000 },
    ]);
    expect(await target.deliveries()).toMatchObject([
      { state: DeliveryState.delivered, attempts: 4, response_status: 200 },
    ]);
    expect(await target.endpoint()).toMatchObject({
      next_attempt_at: null,
      consecutive_failures: 0,
      first_failure_at: null,
    });
  });

  it('is given up after 15 failures while other deliveries of its endpoint succeed', async () => {
    const target = await insertEndpoint({ events: 1 });
    const mark = 'update webhook_deliveries set due_at = 1 where endpoint_id = ?';
    await db.prepare(mark).bind(target.id).run();
    const run = createConsumer(
      (request) => new Response(null, { status: seqOf(request) === 1 ? 404 : 200 }),
    );
    const another = `insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
      select endpoint_id, ?2, event_id, 0, 0, created_at from webhook_deliveries
      where endpoint_id = ?1 and seq = 1`;
    for (let seq = 2; seq <= 16; seq += 1) {
      await db.batch([
        db.prepare(another).bind(target.id, seq),
        db.prepare('update webhook_endpoints set last_seq = ?2 where id = ?1').bind(target.id, seq),
      ]);
      // The new delivery ends the backoff; the second run sends the failing one.
      await run.deliver(target.id);
      await run.deliver(target.id);
      run.clock.now += 24 * 3_600_000;
    }
    expect(run.requests.filter((request) => seqOf(request) === 1)).toHaveLength(15);
    const [failing, ...others] = await target.deliveries();
    expect(failing).toMatchObject({
      state: DeliveryState.gaveUp,
      attempts: 15,
      counted_failures: 15,
      error: 'http_4xx',
    });
    expect(others.every(({ state }) => state === DeliveryState.delivered)).toBe(true);
  });

  it('is given up without a request when its event is gone', async () => {
    const target = await insertEndpoint();
    await db.prepare('delete from webhook_events where id = ?').bind(target.eventId(1)).run();
    const run = createConsumer(respondOk);
    await run.deliver(target.id);
    expect(run.requests).toEqual([]);
    expect(await target.deliveries()).toMatchObject([
      { state: DeliveryState.gaveUp, error: 'internal' },
    ]);
    expect(await target.endpoint()).toMatchObject({
      next_attempt_at: null,
      consecutive_failures: 0,
    });
  });

  it('is blocked without a request when the URL policy rejects the URL', async () => {
    const target = await insertEndpoint({ url: 'http://169.254.169.254/latest' });
    const run = createConsumer(respondOk);
    await run.deliver(target.id);
    expect(run.requests).toEqual([]);
    expect(await target.attempts()).toMatchObject([
      { response_status: null, error: 'blocked_url' },
    ]);
  });
});
