import { describe, expect, it } from 'vitest';
import { consumer, db, hangs, lane, ok, start } from '../support/lanes.ts';

describe('a run whose receivers hang', () => {
  it('is left to the context, its batch acknowledged, and still records what comes', async () => {
    const [slow, quick] = [await lane({ timeoutMs: 1_000 }), await lane({ events: 20 })];
    const rest: Promise<unknown>[] = [];
    const run = consumer(
      (request, index) =>
        request.headers.get('x-service-delivery-id')?.startsWith(`${slow.id}-`)
          ? hangs(request, index)
          : ok(request, index),
      undefined,
      { waitUntil: (work) => void rest.push(work) },
    );
    const startedAt = Date.now();
    const result = await run.drain(slow.id, quick.id);
    expect(result).toMatchObject({ ackAll: true });
    expect(Date.now() - startedAt).toBeLessThan(900);
    expect(rest).toHaveLength(1);
    await Promise.all(rest);
    expect(await quick.endpoint()).toMatchObject({ wake_at: null, lease_until: 0 });
    expect(await slow.attempts()).toMatchObject([{ error: 'timeout' }]);
    expect(await slow.endpoint()).toMatchObject({ fail_streak: 1, lease_until: 0 });
  });

  it('is not left while there is something it could begin', async () => {
    const lanes = [];
    for (let n = 0; n < 7; n += 1) lanes.push(await lane());
    const rest: unknown[] = [];
    let ended = 0;
    const run = consumer(
      async (_request, index) => {
        await new Promise((resolve) => setTimeout(resolve, 20 + 20 * index));
        ended += 1;
        return new Response();
      },
      undefined,
      { waitUntil: (work) => void rest.push(work) },
    );
    await run.drain(...lanes.map(({ id }) => id));
    // The last of seven begins when the second of five has ended.
    expect(ended).toBe(2);
    await Promise.all(rest);
    expect(ended).toBe(7);
  });

  it('is not left when a database does not answer: the batch comes back', async () => {
    const to = await lane();
    const rest: unknown[] = [];
    const run = consumer(ok, () => Promise.reject(new Error('D1 DB is overloaded')), {
      waitUntil: (work) => void rest.push(work),
    });
    expect(await run.drain(to.id)).toMatchObject({ ackAll: false, retryBatch: { retry: true } });
    expect(rest).toEqual([]);
  });

  it('gives what it could not begin to another run', async () => {
    const lanes = [];
    for (let n = 0; n < 7; n += 1) lanes.push(await lane({ timeoutMs: 1_000 }));
    const rest: Promise<unknown>[] = [];
    const run = consumer(hangs, undefined, { waitUntil: (work) => void rest.push(work) });
    await run.drain(...lanes.map(({ id }) => id));
    await expect.poll(() => run.hints.map(({ endpoint }) => endpoint)).toHaveLength(2);
    expect(run.requests).toHaveLength(5);
    for (const { endpoint } of run.hints) {
      const given = await db
        .prepare('select lease_until, wake_at, fail_streak from webhook_endpoints where id = ?')
        .bind(endpoint)
        .first();
      expect(given).toEqual({ lease_until: 0, wake_at: start, fail_streak: 0 });
    }
    await Promise.all(rest);
  });
});
