import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { coversScope, isScope, scopes, type Scope } from '../../../src/data/grants/scopes.ts';
import { evictApiKeysOfUser } from '../../../src/http/access/api-key.ts';
import type { Operation } from '../../../src/http/operation.ts';
import { callApi } from '../../support/api/client.ts';
import { callWithBindings, countingDatabase, noCost } from '../../support/api/measure.ts';
import { refusal } from '../../support/api/refusal.ts';
import { addTestKey } from '../../support/fixtures/keys.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { type Door, doors } from '../../support/mcp/doors.ts';
import { isSlow } from '../../support/slow.ts';

const unknownId = '9007199254740991';

let own: TestStore;
beforeAll(async () => {
  own = await createTestStore();
});

/**
 * Calls an operation for a record that does not exist, and with an empty body: what is allowed
 * changes nothing.
 */
const call = (door: Door, { method, path, body }: Operation, headers: Record<string, string>) =>
  door.call(method, `/v2${path.replace('{alias}', own.alias).replaceAll(/\{\w+\}/g, unknownId)}`, {
    headers,
    ...(body && { body: {} }),
  });

const missingScope = (scope: Scope) =>
  refusal(403, 'insufficient_scope', { scope: [`Requires ${scope}.`] });

/**
 * The operations of a door that need a scope: all in a slow run, else one of each scope and method.
 * That each asks for its scope is in `access-errors.test.ts`.
 */
function scopedAt(door: Door) {
  const scoped = door.operations.flatMap((operation) =>
    isScope(operation.access) ? [{ operation, access: operation.access }] : [],
  );
  const kindOf = ({ operation, access }: (typeof scoped)[number]) =>
    `${operation.method} ${access}`;
  const ofEachKind = new Map(scoped.map((one) => [kindOf(one), one]));
  return isSlow ? scoped : [...ofEachKind.values()];
}

describe.each(doors)('the role of a member, over $over', (door) => {
  it.each(['manager', 'viewer'] as const)(
    'opens every operation to a key of a %s, but to a viewer only reads (403)',
    async (role) => {
      const headers = await addTestKey((await addTestMember(own, role)).userId);
      for (const { operation, access } of scopedAt(door)) {
        const { status, body } = await call(door, operation, headers);
        if (role === 'viewer' && access.endsWith('.write')) {
          expect([status, body], operation.route).toEqual([403, missingScope(access)]);
        } else {
          expect([401, 403], operation.route).not.toContain(status);
        }
      }
    },
  );

  it('counts at once in the isolate that changes it, for a key that was used before', async () => {
    const { userId } = await addTestMember(own, 'manager');
    const headers = await addTestKey(userId);
    const api = door.client(own.alias, headers);
    expect((await api('PUT /config/settings', { cart_idle_minutes: 30 })).status).toBe(200);
    await env.DIRECTORY.prepare(`update memberships set role = 'viewer' where user_id = ?`)
      .bind(userId)
      .run();
    evictApiKeysOfUser(userId);
    const refused = await api('PUT /config/settings', { cart_idle_minutes: 60 });
    expect([refused.status, refused.body]).toEqual([403, missingScope('config.write')]);
    expect((await api('GET /catalog/brands')).status).toBe(200);
  });
});

describe.each(doors)('the scopes of a key, over $over', (door) => {
  it('open each operation alone, and without them it is 403 and names the one that is missing', async () => {
    const keys = new Map<string, Record<string, string>>();
    const keyWith = async (granted: readonly Scope[]) => {
      const name = granted.join();
      const headers = keys.get(name) ?? (await addTestKey(own.userId, { scopes: granted }));
      keys.set(name, headers);
      return headers;
    };
    for (const { operation, access } of scopedAt(door)) {
      const allowed = await call(door, operation, await keyWith([access]));
      expect([401, 403], operation.route).not.toContain(allowed.status);
      const others = scopes.filter((scope) => !coversScope(new Set([scope]), access));
      const refused = await call(door, operation, await keyWith(others));
      expect([refused.status, refused.body], operation.route).toEqual([403, missingScope(access)]);
      expect(refused.body.hint).toContain('API key');
    }
  });

  it('hide fields that need another one, and refuse an include of them (403)', async () => {
    const headers = await addTestKey(own.userId, { scopes: ['carts.read', 'catalog.read'] });
    const api = door.client(own.alias, headers);
    const refused = await api('GET /checkout/carts?include=customer');
    expect([refused.status, refused.body]).toEqual([403, missingScope('customers.read')]);
    expect((await api('GET /catalog/products')).status).toBe(200);
  });

  it('return 403 for a webhook with an event that they do not cover, and for another URL of such a webhook', async () => {
    const url = 'https://hooks.shop.test/orders';
    const { body } = await own.api('POST /webhooks', { name: 'x', url, events: ['order.paid'] });
    const headers = await addTestKey(own.userId, { scopes: ['webhooks.write', 'catalog.read'] });
    const api = door.client(own.alias, headers);
    const asked = { name: 'y', url, events: ['order.paid'] };
    for (const [request, sent] of [
      ['POST /webhooks', asked],
      [`PUT /webhooks/${body.data.id}`, { events: ['order.paid'] }],
      [`PUT /webhooks/${body.data.id}`, { url: `${url}/elsewhere` }],
      [`PUT /webhooks/${body.data.id}`, { active: true }],
    ] as const) {
      const refused = await api(request, sent);
      expect([refused.status, refused.body.code], request).toEqual([403, 'insufficient_scope']);
    }
    expect((await api(`PUT /webhooks/${body.data.id}`, { name: 'z' })).status).toBe(200);
    const allowed = await api('POST /webhooks', { ...asked, events: ['product.created'] });
    expect(allowed.status).toBe(201);
  });
});

describe.each(doors)('the stores of a key, over $over', (door) => {
  it('return 403 key_not_for_store for another store of the user, and the same 403 as ever for the rest', async () => {
    const [other, foreign, closed] = [
      await createTestStore(),
      await createTestStore(),
      await createTestStore({ active: false }),
    ];
    for (const { id } of [other, closed]) {
      await env.DIRECTORY.prepare(`insert into memberships values (?, ?, 'manager', 0)`)
        .bind(own.userId, id)
        .run();
    }
    const headers = await addTestKey(own.userId, { stores: [own] });
    const answerFor = async ({ alias }: Pick<TestStore, 'alias'>) => {
      const { status, body } = await door.client(alias, headers)('GET /catalog/brands');
      return [status, body.code];
    };
    expect(await answerFor(own)).toEqual([200, undefined]);
    expect(await answerFor(other)).toEqual([403, 'key_not_for_store']);
    expect(await answerFor(closed)).toEqual([403, 'store_not_accessible']);
    expect(await answerFor(foreign)).toEqual([403, 'store_not_accessible']);
    expect(await answerFor({ alias: 'no-such-store' })).toEqual([403, 'store_not_accessible']);
    const me = await callApi('POST', '/v2/auth/me', { headers });
    expect(me.body.merchants.data.map(({ id }: { id: number }) => id)).toEqual([own.id]);
  });
});

describe.each(doors)('the end of a key, over $over', (door) => {
  it('returns 401 from that moment on, although the key is cached', async () => {
    const headers = await addTestKey(own.userId, { expiresAt: Date.now() + 5_000 });
    const api = door.client(own.alias, headers);
    expect((await api('GET /catalog/brands')).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5_001 });
    expect((await api('GET /catalog/brands')).status).toBe(401);
    vi.useRealTimers();
    const expired = await addTestKey(own.userId, { expiresAt: Date.now() - 1 });
    const { status, body } = await door.client(own.alias, expired)('GET /catalog/brands');
    expect([status, body]).toEqual([401, refusal(401, 'unauthenticated')]);
  });
});

describe('the cost of a restricted key', () => {
  it('is one round trip to the directory, and none while it is cached', async () => {
    const headers = await addTestKey(own.userId, { scopes: ['catalog.read'], stores: [own] });
    const cost = noCost();
    const bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
    const store = { ...own, headers };
    await callWithBindings(store, 'GET /catalog/brands', undefined, bindings);
    await callWithBindings(store, 'GET /catalog/brands', undefined, bindings);
    expect(cost.roundTrips).toBe(1);
  });
});
