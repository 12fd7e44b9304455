import { signatureHeaders } from '../../src/events/signature.ts';
import { signingKey } from '../../src/events/signing-keys.ts';
import { describe, expect, it } from 'vitest';
import { start, db, lane, consumer, ok } from '../support/lanes.ts';

const seqOf = (request: Request) =>
  Number(request.headers.get('x-service-delivery-id')?.split('-')[1]);

describe('a delivery', () => {
  it('is sent once, signed, and recorded without an attempt row', async () => {
    const to = await lane();
    const run = consumer(ok);
    const result = await run.drain(to.id, to.id);
    expect(result).toMatchObject({ ackAll: true, retryBatch: { retry: false } });
    expect(run.requests).toHaveLength(1);
    const [request] = run.requests;
    const body = new Uint8Array((await request?.arrayBuffer()) ?? new ArrayBuffer(0));
    const signed = await signatureHeaders(
      'Service',
      { primary: await signingKey(to.secret) },
      {
        id: to.eventId(1),
        at: start,
        body,
      },
    );
    expect(Object.fromEntries(request?.headers ?? [])).toMatchObject({
      ...Object.fromEntries(Object.entries(signed).map(([k, v]) => [k.toLowerCase(), v])),
      'x-service-shop-domain': 'loja',
      'x-service-attempt': '1',
    });
    expect(await to.deliveries()).toMatchObject([
      { state: 1, attempts: 1, code: 200, error: null, duration_ms: 0, done_at: start },
    ]);
    expect(await to.attempts()).toEqual([]);
    expect(await to.endpoint()).toMatchObject({
      wake_at: null,
      lease_until: 0,
      fail_streak: 0,
      last_ok_at: start,
    });
    expect(run.hints).toEqual([]);
  });

  it('fault 30: meets 500 three times and then 200: four attempts at the promised times, one success', async () => {
    const to = await lane();
    const run = consumer(
      (_request, index) => new Response('no', { status: index < 3 ? 500 : 200 }),
    );
    for (const wait of [5, 30, 120]) {
      await run.drain(to.id);
      expect(await to.endpoint()).toMatchObject({
        wake_at: run.clock.now + wait * 1000,
        first_fail_at: start,
        lease_until: 0,
      });
      run.clock.now += wait * 1000 - 1;
      const before = run.requests.length;
      await run.drain(to.id);
      expect(run.requests).toHaveLength(before);
      run.clock.now += 1;
    }
    await run.drain(to.id);
    expect(run.hints.map((hint) => hint.delaySeconds)).toEqual([5, 30]);
    expect(new Set(run.ids())).toEqual(new Set([to.eventId(1)]));
    expect(await to.attempts()).toMatchObject([
      { number: 1, code: 500, error: 'http_5xx', at: start, host: 'receiver.example' },
      { number: 2, code: 500, at: start + 5_000 },
      { number: 3, code: 500, at: start + 35_000 },
      { number: 4, code: 200, error: null, at: start + 155_000 },
    ]);
    expect(await to.deliveries()).toMatchObject([{ state: 1, attempts: 4, code: 200 }]);
    expect(await to.endpoint()).toMatchObject({
      wake_at: null,
      fail_streak: 0,
      first_fail_at: null,
    });
  });

  it('that fails beside others that arrive is given up after 15 failures of its own', async () => {
    const to = await lane({ events: 1 });
    const mark = 'update webhook_deliveries set due_at = 1 where endpoint_id = ?';
    await db.prepare(mark).bind(to.id).run();
    const run = consumer(
      (request) => new Response(null, { status: seqOf(request) === 1 ? 404 : 200 }),
    );
    const another = `insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
      select endpoint_id, ?2, event_id, 0, 0, created_at from webhook_deliveries
      where endpoint_id = ?1 and seq = 1`;
    for (let seq = 2; seq <= 16; seq += 1) {
      await db.batch([
        db.prepare(another).bind(to.id, seq),
        db.prepare('update webhook_endpoints set last_seq = ?2 where id = ?1').bind(to.id, seq),
      ]);
      // What is new reopens the lane, then its turn comes.
      await run.drain(to.id);
      await run.drain(to.id);
      run.clock.now += 24 * 3_600_000;
    }
    expect(run.requests.filter((request) => seqOf(request) === 1)).toHaveLength(15);
    const [failing, ...others] = await to.deliveries();
    expect(failing).toMatchObject({ state: 2, attempts: 15, refusals: 15, error: 'http_4xx' });
    expect(others.every(({ state }) => state === 1)).toBe(true);
  });

  it('of a lost event is closed and never sent', async () => {
    const to = await lane();
    await db.prepare('delete from webhook_events where id = ?').bind(to.eventId(1)).run();
    const run = consumer(ok);
    await run.drain(to.id);
    expect(run.requests).toEqual([]);
    expect(await to.deliveries()).toMatchObject([{ state: 2, error: 'internal' }]);
    expect(await to.endpoint()).toMatchObject({ wake_at: null, fail_streak: 0 });
  });

  it('is refused by the guard at send time without a request', async () => {
    const to = await lane({ url: 'http://169.254.169.254/latest' });
    const run = consumer(ok);
    await run.drain(to.id);
    expect(run.requests).toEqual([]);
    expect(await to.attempts()).toMatchObject([{ code: null, error: 'blocked_url' }]);
  });
});
