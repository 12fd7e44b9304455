import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { authLifetimes, maxActiveGrants } from '../../src/base/auth-lifetimes.ts';
import { EndpointStatus } from '../../src/data/schema/store/webhooks-tables.ts';
import { sliceForMinute } from '../../src/oauth/grant-maintenance.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import {
  approveConsent,
  connectApp,
  postToken,
  redemptionForm,
  refreshForm,
  postRevocation,
  type ConnectedTestApp,
} from '../support/oauth/partner.ts';
import { maintainAllGrants } from '../support/sweep.ts';
import { endpointOf } from '../support/webhooks/delivery-log.ts';
import '../support/fixtures/first-shard.ts';

const webhook = { url: 'https://partner.test/hook', name: 'test', events: ['product.created'] };

/**
 * Connects an app twice to a store, each connection with a webhook, beside webhooks of other apps
 * and stores.
 */
async function connectTwice() {
  const store = await createTestStore();
  const first = await connectApp(store);
  const second = await connectApp(store, { app: first.app });
  const [other, elsewhere] = [
    await connectApp(store),
    await connectApp(await createTestStore(), { app: first.app }),
  ];
  const idOf = async ({ api }: Pick<ConnectedTestApp, 'api'>): Promise<number> =>
    (await api('POST /webhooks', webhook)).body.data.id;
  const own = [await idOf(first), await idOf(second)];
  const others = [await idOf(store), await idOf(other), await idOf(elsewhere)];
  const statusesOf = async (ids: number[]) =>
    (await Promise.all(ids.map(endpointOf))).map((endpoint) => endpoint?.status);
  return { store, first, second, own, others, statusesOf };
}

const revokeAll = ({ app, tokens }: ConnectedTestApp) =>
  postRevocation({ client_id: app.client_id, token: tokens.refresh_token });

async function stealToken({ app, tokens }: ConnectedTestApp) {
  const now = Date.now();
  const next = await postToken(refreshForm(app, tokens.refresh_token), { now });
  await postToken(refreshForm(app, next.body.refresh_token), { now });
  await postToken(refreshForm(app, tokens.refresh_token), { now });
}

const replayCode = (connected: ConnectedTestApp) => postToken(redemptionForm(connected));

async function expire({ grantId }: ConnectedTestApp) {
  const past = Date.now() - 1;
  await env.STORE_0.prepare('update oauth_grants set expires_at = ? where id = ?')
    .bind(past, grantId)
    .run();
  for (let minute = 0; minute < 1_440; minute += 1) {
    const { from, to } = sliceForMinute(minute);
    const isDue = grantId >= from && (to === undefined || grantId < to);
    if (isDue)
      await maintainAllGrants(
        env,
        (Math.floor(past / 86_400_000) + 1) * 86_400_000 + minute * 60_000,
      );
  }
}

describe('webhooks of an app', () => {
  it.each([
    ['the app revokes its token', revokeAll],
    ['a used refresh token is presented again', stealToken],
    ['a code is replayed', replayCode],
    ['the grant expires (within a day)', expire],
  ] as const)('are paused when the last grant in the store ends: %s', async (_reason, end) => {
    const { first, second, own, others, statusesOf } = await connectTwice();
    await end(first);
    expect(await statusesOf(own)).toEqual([EndpointStatus.active, EndpointStatus.active]);
    await end(second);
    expect(await statusesOf(own)).toEqual([EndpointStatus.paused, EndpointStatus.paused]);
    expect(await statusesOf(others)).toEqual([
      EndpointStatus.active,
      EndpointStatus.active,
      EndpointStatus.active,
    ]);
  });

  it('stay active when the oldest of too many grants is revoked but others remain', async () => {
    const { store, first, own, statusesOf } = await connectTwice();
    for (let count = 0; count < maxActiveGrants; count += 1) {
      await connectApp(store, { app: first.app });
    }
    expect((await first.api('GET /webhooks')).status).toBe(401);
    expect(await statusesOf(own)).toEqual([EndpointStatus.active, EndpointStatus.active]);
  });

  it('are paused when the remaining grants were never redeemed', async () => {
    const { store, first, own, statusesOf } = await connectTwice();
    const now = Date.now() + authLifetimes.authorizationCode;
    for (let count = 0; count < maxActiveGrants; count += 1)
      await approveConsent(store, first.app, { now });
    expect(await statusesOf(own)).toEqual([EndpointStatus.paused, EndpointStatus.paused]);
  });
});
