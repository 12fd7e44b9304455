import { describe, expect, it } from 'vitest';
import { DeliveryState } from '../../../src/data/schema/store/webhooks-tables.ts';
import { sendWebhook, type WebhookResponse } from '../../../src/webhooks/delivery/attempt.ts';
import {
  startTime,
  insertEndpoint,
  createConsumer,
  neverRespond,
} from '../../support/webhooks/consumer.ts';
import { pauseTimers } from '../../support/webhooks/paused-timers.ts';

/**
 * Starts a request with a timeout of 10 s; the test responds. `ended` is set once it has a result.
 */
function startSend() {
  const receiver = Promise.withResolvers<Response>();
  const state = { ended: undefined as WebhookResponse | undefined, signal: undefined as unknown };
  const sent = sendWebhook(
    { url: 'https://receiver.example/', headers: {}, bytes: new Uint8Array(), timeoutMs: 10_000 },
    {
      now: () => startTime,
      fetch: (_url, { signal }) => {
        state.signal = signal;
        return receiver.promise;
      },
    },
  ).then((result) => (state.ended = result));
  return { state, sent, respond: receiver.resolve };
}

describe('sendWebhook', () => {
  it('fault 23: ends at the timeout of the endpoint when the receiver hangs', async () => {
    using timers = pauseTimers();
    const target = await insertEndpoint({ timeoutMs: 60 });
    const called = Promise.withResolvers<void>();
    const run = createConsumer((...request) => {
      called.resolve();
      return neverRespond(...request);
    });
    const ended = run.deliver(target.id);
    await called.promise;
    await timers.advance(60);
    await ended;
    expect(await target.attempts()).toMatchObject([{ response_status: null, error: 'timeout' }]);
    expect(await target.endpoint()).toMatchObject({ next_attempt_at: startTime + 5_000 });
  });

  it('fault 23: waits for the whole timeout, then aborts the request', async () => {
    using timers = pauseTimers();
    const { state, sent } = startSend();
    await timers.advance(9_999);
    expect(state.ended).toBeUndefined();
    expect(state.signal).toMatchObject({ aborted: false });
    await timers.advance(1);
    expect(await sent).toMatchObject({ status: null, error: 'timeout' });
    expect(state.signal).toMatchObject({ aborted: true });
  });

  it('fault 78: a pause of the isolate for longer than the timeout is no timeout of the receiver', async () => {
    using timers = pauseTimers();
    const { state, sent, respond } = startSend();
    // The timer fires before the response, which arrived during the pause, is read.
    await timers.jump(600_000);
    expect(state.ended).toBeUndefined();
    respond(new Response('ok'));
    expect(await sent).toMatchObject({ status: 200, error: null });
  });

  it('fault 78: a receiver gets an event once although the isolate pauses before it reads the response', async () => {
    using timers = pauseTimers();
    const target = await insertEndpoint();
    const called = Promise.withResolvers<void>();
    const response = Promise.withResolvers<Response>();
    const run = createConsumer(() => {
      called.resolve();
      return response.promise;
    });
    const ended = run.deliver(target.id);
    await called.promise;
    await timers.jump(30_000);
    response.resolve(new Response('ok'));
    await ended;
    expect(run.requests).toHaveLength(1);
    expect(await target.deliveries()).toMatchObject([
      { state: DeliveryState.delivered, attempts: 1 },
    ]);
  });

  it('fault 78: a receiver that hangs in an isolate that pauses again and again still times out', async () => {
    using timers = pauseTimers();
    const { state, sent } = startSend();
    for (let pause = 0; pause < 100 && !state.ended; pause += 1) await timers.jump(60_000);
    expect(state.ended).toMatchObject({ status: null, error: 'timeout' });
    await sent;
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
