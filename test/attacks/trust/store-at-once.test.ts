import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { ActionContext } from '../../../src/data/audit/action.ts';
import { copyStoreFacts } from '../../../src/data/shards/copy-facts.ts';
import { deactivateStore, reactivateStore } from '../../../src/stores/activate-store.ts';
import { closeStore, reopenStore } from '../../../src/stores/close-store.ts';
import { editStore, requireSecondFactor } from '../../../src/stores/edit-store.ts';
import { setStoreLimits } from '../../../src/stores/set-store-limits.ts';
import { actionOf } from '../../support/action.ts';
import { measureRequest } from '../../support/api/measure.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';

const reason = 'A test';

const brand = () => ({ name: crypto.randomUUID(), active: true });

/** What the API says to a key that this isolate knows: to a read and to a change. */
async function answersOf({ api }: TestStore) {
  const [read, change] = [
    await api('GET /catalog/brands'),
    await api('POST /catalog/brands', brand()),
  ];
  return [read.body.code ?? read.status, change.body.code ?? change.status];
}

const open = [200, 201];
const shut = ['store_not_accessible', 'store_not_accessible'];

type Change = (action: ActionContext, store: TestStore) => Promise<unknown>;

/** Changes of a store, each with what keys get after it. Each begins where the one before ended. */
const changes: Record<string, [Change, unknown[]][]> = {
  'is locked and unlocked': [
    [(action, { id: storeId }) => deactivateStore(action, { storeId, reason }), shut],
    [(action, { id: storeId }) => reactivateStore(action, { storeId, reason }), open],
  ],
  'is closed and opened again': [
    [(action, { id: storeId }) => closeStore(action, { storeId, reason }), shut],
    [(action, { id: storeId }) => reopenStore(action, { storeId, reason }), open],
  ],
  'requires a second factor, and no longer': [
    [
      (action, store) => requireSecondFactor(action, store, true),
      ['second_factor_required', 'second_factor_required'],
    ],
    [(action, store) => requireSecondFactor(action, store, false), open],
  ],
};

describe('the API keys that an isolate knows', () => {
  it.each(Object.entries(changes))(
    'attack: have what holds at once when their store %s',
    async (_, steps) => {
      const store = await createTestStore();
      expect(await answersOf(store)).toEqual(open);
      for (const [change, expected] of steps) {
        await change(actionOf(store.userId), store);
        expect(await answersOf(store)).toEqual(expected);
      }
    },
  );

  it('have the time zone and the limit of their store at once', async () => {
    const store = await createTestStore();
    await store.api('POST /catalog/brands', brand());
    const action = actionOf(store.userId);
    await setStoreLimits(action, {
      storeId: store.id,
      limits: { event_budget: null, requests_per_minute: 700 },
      reason,
    });
    await editStore(
      action,
      { id: store.id, name: 'A', zone: 'UTC' },
      { name: 'A', zone: 'Asia/Tokyo' },
    );
    const { headers, body } = await store.api('GET /catalog/brands');
    expect(headers.get('RateLimit-Policy')).toContain('q=700;');
    expect(body.data[0].created_at.timezone).toBe('Asia/Tokyo');
  });

  it('attack: read and change nothing of a store that another isolate locked, and cost no round trip more', async () => {
    const store = await createTestStore();
    expect(await answersOf(store)).toEqual(open);
    const { directory, data } = await measureRequest(store, 'GET /catalog/brands');
    expect([directory.roundTrips, data.roundTrips]).toEqual([0, 1]);
    const set = (active: 0 | 1) =>
      env.DIRECTORY.prepare('update stores set active = ? where id = ?')
        .bind(active, store.id)
        .run();
    await set(0);
    await copyStoreFacts(env, store.id);
    expect(await answersOf(store)).toEqual(shut);
    await set(1);
    await store.api('GET /catalog/brands');
  });
});
