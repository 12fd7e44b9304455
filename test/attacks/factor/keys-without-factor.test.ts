import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { isStillMember } from '../../../src/data/directory/members.ts';
import { createApiClient } from '../../support/api/client.ts';
import { addTestKey } from '../../support/fixtures/keys.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { addSecondFactor } from '../../support/second-factor.ts';

const requireFactor = ({ id }: TestStore) =>
  env.DIRECTORY.prepare('update stores set mfa_required = 1 where id = ?').bind(id).run();

const answerOf = async ({ alias }: TestStore, headers: Record<string, string>) => {
  const { status, body } = await createApiClient(alias, headers)('GET /catalog/brands');
  return [status, body.code];
};

describe('a store that requires two-step sign-in of its members', () => {
  it('attack: returns 403 second_factor_required to a key of a member without one, also from before the rule', async () => {
    const store = await createTestStore();
    const before = await addTestKey(store.userId);
    await requireFactor(store);
    const after = await addTestKey(store.userId, { stores: [store] });
    for (const headers of [before, after]) {
      expect(await answerOf(store, headers)).toEqual([403, 'second_factor_required']);
    }
    await addSecondFactor(store.userId);
    for (const headers of [before, after]) {
      expect(await answerOf(store, headers)).toEqual([200, undefined]);
    }
  });

  it('attack: names no reason to a stranger, and neither an inactive store to its member (403)', async () => {
    const [store, stranger] = [await createTestStore(), await createTestStore()];
    await requireFactor(store);
    const foreign = await addTestKey(stranger.userId);
    expect(await answerOf(store, foreign)).toEqual([403, 'store_not_accessible']);
    await env.DIRECTORY.prepare('update stores set active = 0 where id = ?').bind(store.id).run();
    const own = await addTestKey(store.userId);
    expect(await answerOf(store, own)).toEqual([403, 'store_not_accessible']);
  });

  it('attack: is not reached by work that goes on for such a key after its request', async () => {
    const store = await createTestStore();
    const directory = openDatabase(env.DIRECTORY);
    await addTestKey(store.userId);
    const id = await env.DIRECTORY.prepare('select max(id) as id from api_keys where user_id = ?')
      .bind(store.userId)
      .first<number>('id');
    const isLive = () =>
      isStillMember(directory, {
        apiKeyId: id ?? 0,
        userId: store.userId,
        storeId: store.id,
        isChange: true,
        now: Date.now(),
      });
    expect(await isLive()).toBe(true);
    await requireFactor(store);
    expect(await isLive()).toBe(false);
    await addSecondFactor(store.userId);
    expect(await isLive()).toBe(true);
  });
});
