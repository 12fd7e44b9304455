import { describe, expect, it } from 'vitest';
import { start, lane, consumer, hangs } from '../support/lanes.ts';

describe('a receiver', () => {
  it('fault 23: that hangs is cut off at its timeout', async () => {
    const to = await lane({ timeoutMs: 50 });
    const run = consumer(hangs);
    const startedAt = Date.now();
    await run.drain(to.id);
    expect(Date.now() - startedAt).toBeLessThan(550);
    expect(await to.attempts()).toMatchObject([{ code: null, error: 'timeout' }]);
    expect(await to.endpoint()).toMatchObject({ wake_at: start + 5_000 });
  });

  it('fault 24: that answers 200 and then drips its body has received the event', async () => {
    const to = await lane({ timeoutMs: 50 });
    const run = consumer(() => new Response(new ReadableStream({ start: () => undefined })));
    await run.drain(to.id);
    expect(await to.deliveries()).toMatchObject([{ state: 1, code: 200 }]);
  });

  it('fault 26: that nobody runs is a failed connection, over the real fetch', async () => {
    const to = await lane({ url: 'http://127.0.0.1:9/hooks' });
    const run = consumer((request) => fetch(request));
    await run.drain(to.id);
    expect(await to.attempts()).toMatchObject([
      { code: null, error: 'connect', host: '127.0.0.1:9' },
    ]);
  });

  it('fault 33: that redirects is not followed, and its answer is kept in part, with the query masked', async () => {
    const to = await lane();
    const headers = { location: 'https://a.example/b?key=secret', 'set-cookie': 'a=b' };
    const run = consumer(() => new Response('é'.repeat(1025), { status: 302, headers }));
    await run.drain(to.id);
    expect(run.requests.map((request) => request.redirect)).toEqual(['manual']);
    const [attempt] = await to.attempts();
    expect(attempt).toMatchObject({ code: 302, error: 'redirect' });
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
    'fault 29: behind an edge that answers %i has failed, and nothing of that is its own answer',
    async (status) => {
      const to = await lane();
      const run = consumer(() => new Response('the words of the edge', { status }));
      await run.drain(to.id);
      expect(await to.attempts()).toMatchObject([
        { code: status, response_body: null, response_headers: null },
      ]);
      expect(await to.endpoint()).toMatchObject({ fail_count: 1, wake_at: start + 5_000 });
    },
  );

  it('fault 60: that answers endlessly is read to 64 KB at most, and bytes are kept as base64', async () => {
    const to = await lane();
    let pulled = 0;
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 8_192;
        controller.enqueue(new Uint8Array(8_192).fill(0xff));
      },
    });
    const run = consumer(() => new Response(endless, { status: 500 }));
    await run.drain(to.id);
    expect(pulled).toBeLessThan(100_000);
    const [attempt] = await to.attempts();
    expect(JSON.parse(String(attempt?.response_body))).toMatchObject({
      encoding: 'base64',
      truncated: true,
    });
  });
});
