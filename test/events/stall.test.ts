import { describe, expect, it } from 'vitest';
import { consumer, hangs, lane, ok } from '../support/lanes.ts';

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

  it('is not left while sends go on', async () => {
    const to = await lane({ events: 12, concurrency: 1 });
    const rest: unknown[] = [];
    const run = consumer(
      async () => {
        await new Promise((resolve) => setTimeout(resolve, 40));
        return new Response();
      },
      undefined,
      { waitUntil: (work) => void rest.push(work) },
    );
    await run.drain(to.id);
    expect(rest).toEqual([]);
    expect((await to.deliveries()).every(({ state }) => state === 1)).toBe(true);
  });
});
