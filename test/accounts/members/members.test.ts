import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { handOverStore } from '../../../src/accounts/members/hand-over.ts';
import { removeMember } from '../../../src/accounts/members/remove-member.ts';
import { sha256 } from '../../../src/base/crypto/digest.ts';
import { actionOf } from '../../support/action.ts';
import { createApiClient } from '../../support/api/client.ts';
import { countingDatabase, noCost } from '../../support/api/measure.ts';
import { Browser } from '../../support/browser/browser.ts';
import { addTestMember, createTestUser, roleOf } from '../../support/fixtures/members.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';

const named = ({ id, shard }: TestStore) => ({ id, shard, name: 'Test Store' });

const ownerAddress = ({ alias }: TestStore) => `${alias}@store.test`;

/** Gives a user an API key. Returns a client of it for a store. */
async function keyOf(userId: number, store: TestStore, storeIds: number[] | null = null) {
  const name = crypto.randomUUID();
  const headers = { 'User-Token': `token-${name}`, 'User-Secret-Key': `sk-${name}` };
  await env.DIRECTORY.prepare(
    `insert into api_keys (user_id, name, token_hash, secret_hash, last_four, store_ids, created_at, last_used_at)
      values (?, 'test', ?, ?, 'abcd', ?, ?, ?)`,
  )
    .bind(
      userId,
      await sha256(headers['User-Token']),
      await sha256(headers['User-Secret-Key']),
      storeIds && JSON.stringify(storeIds),
      Date.now(),
      Date.now(),
    )
    .run();
  return createApiClient(store.alias, headers);
}

const actionsOf = async ({ id }: TestStore) => {
  const query = 'select action, changes from audit where store_id = ? order by id';
  const { results } = await env.DIRECTORY.prepare(query)
    .bind(id)
    .all<{ action: string; changes: string }>();
  return results.map(({ action, changes }) => [action, JSON.parse(changes) as unknown]);
};

describe('a member who is removed', () => {
  it('loses the store at once, in pages and by API key (403); other stores, keys and sessions stay', async () => {
    const [store, other] = [await createTestStore(), await createTestStore()];
    const { userId, email } = await addTestMember(store, 'manager');
    await env.DIRECTORY.prepare(
      "insert into memberships (user_id, store_id, role, created_at) values (?, ?, 'manager', 1)",
    )
      .bind(userId, other.id)
      .run();
    const [here, there] = [await keyOf(userId, store), await keyOf(userId, other, [other.id])];
    expect((await here('GET /catalog/brands')).status).toBe(200);
    const member = await new Browser().signIn(userId);
    const owner = await new Browser().signIn(store.userId);
    const path = `/account/stores/${store.alias}/members/${userId}`;
    expect((await owner.get(`${path}/remove`)).text).toContain('loses the store at once');
    const answer = await owner.submit(`${path}/remove`);
    expect([answer.status, answer.location]).toEqual([
      303,
      `/account/stores/${store.alias}/members?done=removed`,
    ]);
    expect((await here('GET /catalog/brands')).status).toBe(403);
    expect((await there('GET /catalog/brands')).status).toBe(200);
    expect((await member.get(`/account/stores/${store.alias}`)).status).toBe(404);
    expect((await member.get(`/account/stores/${other.alias}`)).status).toBe(200);
    expect((await store.api('GET /catalog/brands')).status).toBe(200);
    expect((await sentMails(email))[0]?.kind).toBe('you_were_removed');
    // The owner did it, so no mail goes to them.
    expect(await sentMails(ownerAddress(store), 'member_removed')).toEqual([]);
    expect(await actionsOf(store)).toEqual([
      ['member.removed', { email: [email, null], role: ['manager', null] }],
    ]);
    // A repetition changes and says nothing more.
    expect(await removeMember(actionOf(store.userId), named(store), userId)).toBe(true);
    expect(await sentMails(email)).toHaveLength(1);
    expect(await actionsOf(store)).toHaveLength(1);
  });

  it('is never the owner: the page does not exist (404), and the action is refused', async () => {
    const store = await createTestStore();
    const owner = await new Browser().signIn(store.userId);
    const path = `/account/stores/${store.alias}/members/${store.userId}/remove`;
    expect((await owner.get(path)).status).toBe(404);
    expect(await removeMember(actionOf(store.userId), named(store), store.userId)).toBe(false);
    expect(await roleOf(store, store.userId)).toBe('owner');
  });
});

describe('the list of members', () => {
  it('takes two round trips, of the session and of members and invitations, and writes nothing', async () => {
    const store = await createTestStore();
    const { email } = await addTestMember(store, 'manager');
    const browser = await new Browser().signIn(store.userId);
    const cost = noCost();
    browser.bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
    expect((await browser.get(`/account/stores/${store.alias}/members`)).text).toContain(email);
    expect([cost.roundTrips, cost.rowsWritten]).toEqual([2, 0]);
    // Two members with their sessions; other stores are not looked at.
    expect(cost.rowsRead).toBeLessThan(30);
  });

  it('is the same without forms for those who only look', async () => {
    const store = await createTestStore();
    const { userId, email } = await addTestMember(store, 'viewer');
    const { text } = await (
      await new Browser().signIn(userId)
    ).get(`/account/stores/${store.alias}/members`);
    expect(text).toContain(email);
    expect(text).toContain('Only the owner changes members.');
    expect(text).not.toContain('Open invitations');
  });
});

describe('leaving a store', () => {
  it('is a form that viewers have, too; the owner is notified', async () => {
    const store = await createTestStore();
    const { userId, name } = await addTestMember(store, 'viewer');
    const browser = await new Browser().signIn(userId);
    const path = `/account/stores/${store.alias}/leave`;
    const answer = await browser.submit(path);
    expect([answer.status, answer.location]).toEqual([303, '/account?done=left']);
    expect((await browser.get('/account?done=left')).text).toContain('You have left the store.');
    expect(await roleOf(store, userId)).toBeNull();
    const [mail] = await sentMails(ownerAddress(store), 'member_removed');
    expect(mail?.data).toEqual({ member: name, store: 'Test Store' });
    expect((await actionsOf(store)).map(([action]) => action)).toEqual(['member.left']);
  });

  it('is not for the owner (422), who hands over first', async () => {
    const store = await createTestStore();
    const { userId } = await addTestMember(store, 'manager');
    const owner = await new Browser().signIn(store.userId);
    const path = `/account/stores/${store.alias}/leave`;
    expect((await owner.get(path)).text).toContain('Hand it over to another member');
    // The form was open before the user became the owner.
    const member = await new Browser().signIn(userId);
    const { html } = await member.get(path);
    const hidden = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    await handOverStore(actionOf(store.userId), { ...named(store), ownerId: store.userId }, userId);
    expect((await member.post(path, { form_token: hidden })).status).toBe(422);
    expect(await roleOf(store, userId)).toBe('owner');
  });
});

describe('the role of a member', () => {
  it('changes what API keys and pages allow at once (403)', async () => {
    const store = await createTestStore();
    const { userId, email } = await addTestMember(store, 'manager');
    const key = await keyOf(userId, store);
    const brand = { name: 'Brand', active: true };
    expect((await key('POST /catalog/brands', brand)).status).toBe(201);
    const owner = await new Browser().signIn(store.userId);
    const path = `/account/stores/${store.alias}/members/${userId}`;
    expect((await owner.submit(path, { role: 'viewer' })).status).toBe(303);
    expect((await key('POST /catalog/brands', brand)).status).toBe(403);
    expect((await key('GET /catalog/brands')).status).toBe(200);
    expect(await actionsOf(store)).toEqual([
      ['member.role_changed', { role: ['manager', 'viewer'] }],
    ]);
    expect(await sentMails(email, 'role_changed')).toMatchObject([{ data: { role: 'viewer' } }]);
  });

  it('cannot be raised by fields of a form (422)', async () => {
    const store = await createTestStore();
    const { userId } = await addTestMember(store, 'viewer');
    const owner = await new Browser().signIn(store.userId);
    const path = `/account/stores/${store.alias}/members/${userId}`;
    for (const role of ['owner', 'operator', '']) {
      expect((await owner.submit(path, { role })).status).toBe(422);
    }
    expect(await roleOf(store, userId)).toBe('viewer');
  });
});

describe('handing a store over', () => {
  it('sets one owner in one batch, notifies both, and makes the former owner a manager', async () => {
    const store = await createTestStore();
    const { userId, email } = await addTestMember(store, 'viewer');
    const owner = await new Browser().signIn(store.userId);
    const path = `/account/stores/${store.alias}/members/${userId}/hand-over`;
    const answer = await owner.submit(path);
    expect(answer.location).toBe(`/account/stores/${store.alias}/members?done=handed`);
    expect([await roleOf(store, userId), await roleOf(store, store.userId)]).toEqual([
      'owner',
      'manager',
    ]);
    for (const address of [email, ownerAddress(store)]) {
      expect(await sentMails(address, 'ownership_handed_over')).toHaveLength(1);
    }
    expect((await owner.get(`/account/stores/${store.alias}/close`)).status).toBe(403);
  });

  it('has one winner among parallel uses', async () => {
    const store = await createTestStore();
    const members = [await addTestMember(store, 'manager'), await addTestMember(store, 'viewer')];
    const given = { ...named(store), ownerId: store.userId };
    const results = await Promise.all(
      [...members, ...members].map(({ userId }) =>
        handOverStore(actionOf(store.userId), given, userId),
      ),
    );
    expect(results.filter(Boolean)).toHaveLength(1);
    const { results: owners } = await env.DIRECTORY.prepare(
      "select user_id from memberships where store_id = ? and role = 'owner'",
    )
      .bind(store.id)
      .all();
    const owner = env.DIRECTORY.prepare('select owner_id as user_id from stores where id = ?');
    expect(owners).toEqual([await owner.bind(store.id).first()]);
    expect(await sentMails(ownerAddress(store), 'ownership_handed_over')).toHaveLength(1);
  });

  it('is refused for a user who is no active member (404)', async () => {
    const store = await createTestStore();
    const [stranger, inactive] = [
      await createTestUser(),
      await addTestMember(store, 'manager', { active: false }),
    ];
    const given = { ...named(store), ownerId: store.userId };
    const owner = await new Browser().signIn(store.userId);
    const path = `/account/stores/${store.alias}/members/${stranger.userId}/hand-over`;
    expect((await owner.get(path)).status).toBe(404);
    for (const { userId } of [stranger, inactive]) {
      expect(await handOverStore(actionOf(store.userId), given, userId)).toBe(false);
    }
    expect(await roleOf(store, store.userId)).toBe('owner');
  });
});
