import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { disconnectApp } from '../../src/oauth/revoke-grants.ts';
import { followDirectory } from '../../src/platform/follow-directory.ts';
import { callPathWithBindings } from '../support/api/measure.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { connectApp } from '../support/oauth/partner.ts';
import { replicateStores } from '../support/replica.ts';
import '../support/fixtures/first-shard.ts';
import { stopClock } from '../support/stop-clock.ts';

/** For so long a revoked token may read where its caller asked for a near copy. */
const maxLagMs = 60_000;

const Step = fc.oneof(
  fc.record({ do: fc.constant('write' as const) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 40_000 }) }),
  fc.record({ do: fc.constant('sweep' as const) }),
  fc.record({ do: fc.constant('read' as const), reader: fc.integer({ min: 0, max: 2 }) }),
  fc.record({ do: fc.constant('read own write' as const) }),
  fc.record({ do: fc.constant('read at the primary' as const) }),
);
type Step = typeof Step extends fc.Arbitrary<infer S> ? S : never;

stopClock();

/** A store with an app, behind a replicated database; its brand counts the changes. */
async function createShop(delayMs: number) {
  const store = await createTestStore({ shard: 0 });
  const { body } = await store.api('POST /catalog/brands', { name: '0', active: true });
  const { app, headers } = await connectApp(store, { scopes: ['catalog.write'] });
  const shard = await replicateStores([store.id]);
  shard.delayMs = delayMs;
  const bindings = { STORE_0: shard.binding };
  const path = `/v2/${store.alias}/catalog/brands/${body.data.id}`;
  const readers = [undefined, undefined, undefined].map(() => ({ bookmark: '', seen: 0 }));
  return {
    shard,
    readers,
    written: { count: 0, bookmark: '' },
    revokedAt: Infinity,
    /** Answers of the replica. */
    nearAnswers: 0,
    read: (more: Record<string, string>) =>
      callPathWithBindings('GET', path, { headers: { ...headers, ...more }, bindings }),
    write: (name: string) =>
      callPathWithBindings('PUT', path, {
        headers: store.headers,
        body: { name, active: true },
        bindings,
      }),
    revoke: () =>
      disconnectApp({ ...env, ...bindings }, { id: store.id, shard: 0 }, app.client_id, Date.now()),
    sweep: () =>
      followDirectory({
        env: { ...env, ...bindings },
        shard: 0,
        db: shard.binding,
        now: Date.now,
        hasTime: () => true,
      }),
  };
}

type Shop = Awaited<ReturnType<typeof createShop>>;

/** Asserts the status of a read with the token, and returns the count that it shows; `undefined` for a 401. */
async function readCount(shop: Shop, headers: Record<string, string>) {
  const before = shop.shard.batches.primary;
  const response = await shop.read(headers);
  const isNear = shop.shard.batches.primary === before;
  const isRevoked = shop.revokedAt <= Date.now();
  if (response.status === 401) {
    expect([isRevoked, isNear], '401 only when revoked, and only from the primary').toEqual([
      true,
      false,
    ]);
    return undefined;
  }
  expect(response.status).toBe(200);
  if (isNear) shop.nearAnswers += 1;
  if (isRevoked) {
    expect(isNear, 'the primary refuses at once').toBe(true);
    expect(Date.now() - shop.revokedAt).toBeLessThan(maxLagMs);
  }
  const count = Number(response.body.name);
  expect(count).toBeLessThanOrEqual(shop.written.count);
  return { count, bookmark: response.headers.get('X-Bookmark') ?? '' };
}

async function take(shop: Shop, step: Step): Promise<void> {
  const { written, readers } = shop;
  switch (step.do) {
    case 'write': {
      written.count += 1;
      const { status, headers } = await shop.write(`${written.count}`);
      expect(status).toBe(200);
      written.bookmark = headers.get('X-Bookmark') ?? '';
      return;
    }
    case 'wait':
      vi.setSystemTime(Date.now() + step.ms);
      return;
    case 'sweep':
      await shop.sweep();
      return;
    case 'read': {
      const reader = readers[step.reader]!;
      const shown = await readCount(shop, {
        Prefer: 'read=nearest',
        ...(reader.bookmark && { 'X-Bookmark': reader.bookmark }),
      });
      if (!shown) return;
      expect(shown.count, 'reads of one reader never go back').toBeGreaterThanOrEqual(reader.seen);
      reader.seen = shown.count;
      reader.bookmark = shown.bookmark;
      return;
    }
    case 'read own write': {
      const shown = await readCount(shop, { 'X-Bookmark': written.bookmark });
      if (shown) expect(shown.count, 'read your writes').toBe(written.count);
      return;
    }
    case 'read at the primary': {
      const shown = await readCount(shop, {});
      if (shown) expect(shown.count).toBe(written.count);
    }
  }
}

it('reads from a lagging replica show own writes, never go back, and end a minute after a revocation', async () => {
  const runs = 30;
  let nearAnswers = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 90_000 }),
      fc.array(Step, { minLength: 5, maxLength: 14 }),
      fc.array(Step, { minLength: 3, maxLength: 8 }),
      async (delayMs, before, after) => {
        const shop = await createShop(delayMs);
        // The first near read finds no heartbeat and requests one; the second may use it.
        await take(shop, { do: 'read', reader: 0 });
        for (const step of before) await take(shop, step);
        await shop.revoke();
        shop.revokedAt = Date.now();
        for (const step of after) await take(shop, step);
        nearAnswers += shop.nearAnswers;
      },
    ),
    { numRuns: runs },
  );
  // Most runs have several, and some none.
  expect(nearAnswers).toBeGreaterThan(runs / 2);
});
