import { describe, expect, it } from 'vitest';
import { DeliveryState } from '../../../src/db/schema/store/webhooks.ts';
import {
  startTime,
  insertEndpoint,
  createConsumer,
  neverRespond,
} from '../../support/webhooks/consumer.ts';

describe('sendWebhook', () => {
  it('fault 23: ends at the timeout when the receiver hangs', async () => {
    const target = await insertEndpoint({ timeoutMs: 50 });
    const run = createConsumer(neverRespond);
    const startedAt = Date.now();
    await run.deliver(target.id);
    expect(Date.now() - startedAt).toBeLessThan(5_000);
    expect(await target.attempts()).toMatchObject([{ response_status: null, error: 'timeout' }]);
    expect(await target.endpoint()).toMatchObject({ next_attempt_at: startTime + 5_000 });
  });

  it('fault 24: counts 200 as success when the body then drips', async () => {
    const target = await insertEndpoint({ timeoutMs: 50 });
    const run = createConsumer(() => new Response(new ReadableStream({ start: () => undefined })));
    await run.deliver(target.id);
    expect(await target.deliveries()).toMatchObject([
      { state: DeliveryState.delivered, response_status: 200 },
    ]);
  });

  it('fault 26: reports a failed connection when no server listens, with the real fetch', async () => {
    const target = await insertEndpoint({ url: 'http://127.0.0.1:9/hooks' });
    const run = createConsumer((request) => fetch(request));
    await run.deliver(target.id);
    expect(await target.attempts()).toMatchObject([
      { response_status: null, error: 'connect', host: '127.0.0.1:9' },
    ]);
  });

  it('fault 33: does not follow a redirect, and logs the response in part with the query masked', async () => {
    const target = await insertEndpoint();
    const headers = { location: 'https://a.example/b?key=secret', 'set-cookie': 'a=b' };
    const run = createConsumer(() => new Response('é'.repeat(1025), { status: 302, headers }));
    await run.deliver(target.id);
    expect(run.requests.map((request) => request.redirect)).toEqual(['manual']);
    const [attempt] = await target.attempts();
    expect(attempt).toMatchObject({ response_status: 302, error: 'redirect' });
    expect(JSON.parse(String(attempt?.response_headers))).toEqual({
      'content-type': 'text/plain;charset=UTF-8',
      location: 'https://a.example/b?…',
    });
    expect(JSON.parse(String(attempt?.response_body))).toEqual({
      text: 'é'.repeat(1024),
      encoding: 'utf-8',
      truncated: true,
    });
  });

  it.each([521, 522, 523, 524, 525, 526, 530])(
    'fault 29: counts %i from the edge as a failure and does not log it as the response of the receiver',
    async (status) => {
      const target = await insertEndpoint();
      const run = createConsumer(() => new Response('the words of the edge', { status }));
      await run.deliver(target.id);
      expect(await target.attempts()).toMatchObject([
        { response_status: status, response_body: null, response_headers: null },
      ]);
      expect(await target.endpoint()).toMatchObject({
        failure_count: 1,
        next_attempt_at: startTime + 5_000,
      });
    },
  );

  it('fault 60: reads at most 64 KB of an endless response, and logs bytes as base64', async () => {
    const target = await insertEndpoint();
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 8_192;
        controller.enqueue(new Uint8Array(8_192).fill(0xff));
      },
    });
    const run = createConsumer(() => new Response(endless, { status: 500 }));
    await run.deliver(target.id);
    expect(pulled).toBeLessThan(100_000);
    const [attempt] = await target.attempts();
    expect(JSON.parse(String(attempt?.response_body))).toMatchObject({
      encoding: 'base64',
      truncated: true,
    });
  });
});
