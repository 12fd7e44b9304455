import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { changeRole } from '../../../src/accounts/members/change-role.ts';
import { removeMember } from '../../../src/accounts/members/remove-member.ts';
import { EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { sliceForMinute } from '../../../src/oauth/grant-maintenance.ts';
import { publish } from '../../../src/webhooks/events/publish.ts';
import { actionOf } from '../../support/action.ts';
import { openStoreDb } from '../../support/fixtures/store-db.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import {
  approveConsent,
  connectApp,
  createTestApp,
  postToken,
  redemptionForm,
  refreshForm,
  type ConnectedTestApp,
} from '../../support/oauth/partner.ts';
import { maintainAllGrants } from '../../support/sweep.ts';
import { deliveryLogOf, endpointOf } from '../../support/webhooks/delivery-log.ts';
import '../../support/fixtures/first-shard.ts';

const webhook = { url: 'http://127.0.0.1:9/x', name: 'test', events: ['product.created'] };

/** A store with a manager who connected an app with a webhook. */
async function connectAsManager() {
  const store = await createTestStore();
  const { userId } = await createTestStore();
  await env.DIRECTORY.prepare(
    `insert into memberships (user_id, store_id, role, created_at) values (?, ?, 'manager', 1)`,
  )
    .bind(userId, store.id)
    .run();
  const connected = await connectApp({ ...store, userId });
  const { body } = await connected.api('POST /webhooks', webhook);
  return { store, userId, connected, id: body.data.id as number };
}

const named = ({ id, shard }: TestStore) => ({ id, shard, name: 'Test Store' });

const removeFromDirectory = (store: TestStore, userId: number) =>
  env.DIRECTORY.prepare('delete from memberships where user_id = ? and store_id = ?')
    .bind(userId, store.id)
    .run();

const refresh = ({ app, tokens }: ConnectedTestApp, now: number) =>
  postToken(refreshForm(app, tokens.refresh_token), { now });

/** Runs the maintenance of the day that visits a grant. */
async function maintain({ grantId }: ConnectedTestApp) {
  for (let minute = 0; minute < 1_440; minute += 1) {
    const { from, to } = sliceForMinute(minute);
    if (grantId >= from && (to === undefined || grantId < to)) {
      const tomorrow = (Math.floor(Date.now() / 86_400_000) + 1) * 86_400_000;
      await maintainAllGrants(env, tomorrow + minute * 60_000);
    }
  }
}

/** Lets a subscribed event happen. Returns the number of deliveries of the webhook. */
async function countAfterEvent(store: TestStore, id: number) {
  await publish(openStoreDb(store), [], [{ name: 'product.created', resource: { id: 1 } }]);
  return (await deliveryLogOf(id)).length;
}

describe('the apps of a member who was removed', () => {
  it('lose access at once: no request is answered (401), no token issued (400), nothing delivered', async () => {
    const { store, userId, connected, id } = await connectAsManager();
    expect(await countAfterEvent(store, id)).toBe(1);
    expect(await removeMember(actionOf(store.userId), named(store), userId)).toBe(true);
    expect((await endpointOf(id))?.status).toBe(EndpointStatus.paused);
    expect(await countAfterEvent(store, id)).toBe(1);
    expect((await connected.api('GET /webhooks')).status).toBe(401);
    expect((await refresh(connected, Date.now())).body.error).toBe('invalid_grant');
  });

  it('keep the consent that another member gave', async () => {
    const { store, userId, connected, id } = await connectAsManager();
    const own = await connectApp(store, { app: connected.app });
    await removeMember(actionOf(store.userId), named(store), userId);
    expect((await endpointOf(id))?.status).toBe(EndpointStatus.active);
    expect(await countAfterEvent(store, id)).toBe(1);
    expect((await own.api('GET /webhooks')).status).toBe(200);
  });

  it('lose access at once, too, when the member becomes a viewer, who connects no apps', async () => {
    const { store, userId, connected, id } = await connectAsManager();
    expect(await changeRole(actionOf(store.userId), named(store), userId, 'viewer')).toBe(true);
    expect((await endpointOf(id))?.status).toBe(EndpointStatus.paused);
    expect((await connected.api('GET /webhooks')).status).toBe(401);
    expect((await refresh(connected, Date.now())).body.error).toBe('invalid_grant');
  });

  it('are ended by the next refresh (400) when the directory alone knows of a viewer', async () => {
    const { store, userId, connected } = await connectAsManager();
    await env.DIRECTORY.prepare(
      "update memberships set role = 'viewer' where user_id = ? and store_id = ?",
    )
      .bind(userId, store.id)
      .run();
    expect((await refresh(connected, Date.now())).body.error).toBe('invalid_grant');
  });

  it('are ended by the next refresh (400) when only the directory knows of the removal', async () => {
    const { store, userId, connected, id } = await connectAsManager();
    await removeFromDirectory(store, userId);
    const { status, body } = await refresh(connected, Date.now());
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
    expect((await endpointOf(id))?.status).toBe(EndpointStatus.paused);
    expect(await countAfterEvent(store, id)).toBe(0);
  });

  it('get no token (400) for a code that the member had approved', async () => {
    const store = await createTestStore();
    const approved = await approveConsent(store, await createTestApp());
    await removeFromDirectory(store, store.userId);
    const { status, body } = await postToken(redemptionForm(approved));
    expect([status, body.error]).toEqual([400, 'invalid_grant']);
  });

  it('are ended by the maintenance of the day', async () => {
    const { store, userId, connected, id } = await connectAsManager();
    await maintain(connected);
    expect((await endpointOf(id))?.status).toBe(EndpointStatus.active);
    await removeFromDirectory(store, userId);
    await maintain(connected);
    expect((await endpointOf(id))?.status).toBe(EndpointStatus.paused);
    const grant = env.STORE_0.prepare('select reason from oauth_grants where id = ?');
    expect(await grant.bind(connected.grantId).first()).toEqual({ reason: 'member_removed' });
  });

  it('are ended by the maintenance when the user is no longer active', async () => {
    const { userId, connected, id } = await connectAsManager();
    await env.DIRECTORY.prepare('update users set active = 0 where id = ?').bind(userId).run();
    await maintain(connected);
    expect((await endpointOf(id))?.status).toBe(EndpointStatus.paused);
  });

  it('stay when the member is the owner, who cannot be removed', async () => {
    const store = await createTestStore();
    const connected = await connectApp(store);
    expect(await removeMember(actionOf(store.userId), named(store), store.userId)).toBe(false);
    expect((await connected.api('GET /webhooks')).status).toBe(200);
  });
});
