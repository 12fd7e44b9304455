import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { lifetimes, liveGrants } from '../../src/lifetimes.ts';
import { sliceOf, tidyGrants } from '../../src/oauth/tidy-grants.ts';
import { endpointOf } from '../support/log.ts';
import {
  approve,
  connect,
  post,
  redemption,
  refreshment,
  revoke,
  type Connected,
} from '../support/partner.ts';
import { store } from '../support/store.ts';

const webhook = { url: 'https://partner.test/hook', name: 'test', events: ['product.created'] };

/** An app that is connected twice, each connection with a webhook, beside webhooks that are none of its business. */
async function twice() {
  const shop = await store();
  const first = await connect(shop);
  const second = await connect(shop, { app: first.app });
  const [other, elsewhere] = [
    await connect(shop),
    await connect(await store(), { app: first.app }),
  ];
  const idOf = async ({ api }: Pick<Connected, 'api'>): Promise<number> =>
    (await api('POST /webhooks', webhook)).body.data.id;
  const own = [await idOf(first), await idOf(second)];
  const others = [await idOf(shop), await idOf(other), await idOf(elsewhere)];
  const statusesOf = async (ids: number[]) =>
    (await Promise.all(ids.map(endpointOf))).map((endpoint) => endpoint?.status);
  return { shop, first, second, own, others, statusesOf };
}

const revokeAll = ({ app, tokens }: Connected) =>
  revoke({ client_id: app.client_id, token: tokens.refresh_token });

async function stealToken({ app, tokens }: Connected) {
  const now = Date.now();
  const next = await post(refreshment(app, tokens.refresh_token), { now });
  await post(refreshment(app, next.body.refresh_token), { now });
  await post(refreshment(app, tokens.refresh_token), { now });
}

const replayCode = (connected: Connected) => post(redemption(connected));

async function expire({ grantId }: Connected) {
  const past = Date.now() - 1;
  await env.STORE_0.prepare('update oauth_grants set expires_at = ? where id = ?')
    .bind(past, grantId)
    .run();
  for (let minute = 0; minute < 1_440; minute += 1) {
    const { from, to } = sliceOf(minute);
    const isDue = grantId >= from && (to === undefined || grantId < to);
    if (isDue)
      await tidyGrants(env, (Math.floor(past / 86_400_000) + 1) * 86_400_000 + minute * 60_000);
  }
}

describe('the webhooks of an app (contract 3.14)', () => {
  it.each([
    ['the app revokes its token', revokeAll],
    ['a spent refresh token comes again', stealToken],
    ['a code is redeemed again', replayCode],
    ['the grant runs out, within a day', expire],
  ] as const)('are paused when the last grant in the store ends: %s', async (_why, end) => {
    const { first, second, own, others, statusesOf } = await twice();
    await end(first);
    expect(await statusesOf(own)).toEqual([0, 0]);
    await end(second);
    expect(await statusesOf(own)).toEqual([1, 1]);
    expect(await statusesOf(others)).toEqual([0, 0, 0]);
  });

  it('stay when an older grant makes room for a new one', async () => {
    const { shop, first, own, statusesOf } = await twice();
    for (let count = 0; count < liveGrants; count += 1) {
      await connect(shop, { app: first.app });
    }
    expect((await first.api('GET /webhooks')).status).toBe(401);
    expect(await statusesOf(own)).toEqual([0, 0]);
  });

  it('are paused when the grants that make room were never redeemed', async () => {
    const { shop, first, own, statusesOf } = await twice();
    const now = Date.now() + lifetimes.code;
    for (let count = 0; count < liveGrants; count += 1) await approve(shop, first.app, { now });
    expect(await statusesOf(own)).toEqual([1, 1]);
  });
});
