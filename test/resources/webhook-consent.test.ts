import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { auditOf, endpointOf, fillLog, logOf } from '../support/log.ts';
import { network } from '../support/network.ts';
import { approve, connect, post, redemption } from '../support/partner.ts';
import { store } from '../support/store.ts';

const url = 'http://127.0.0.1:9/nobody';

/** A paused webhook of an app, with a delivery that is held. */
async function ofAnApp() {
  const shop = await store();
  const connected = await connect(shop);
  const made = await connected.api('POST /webhooks', {
    url,
    name: 'test',
    events: ['product.created'],
  });
  const id: number = made.body.data.id;
  await connected.api(`PUT /webhooks/${id}`, { active: false });
  await fillLog(shop, id, { count: 1, state: 3 });
  const picture = async () => [await endpointOf(id), await logOf(id), await auditOf(id)];
  return { shop, connected, id, picture };
}

const endGrants = (storeId: number, change: string) =>
  env.STORE_0.prepare(`update oauth_grants set ${change} where store_id = ?`).bind(storeId).run();

const ends = [
  ['was disconnected', 'revoked_at = 1'],
  ['has not refreshed for too long', 'expires_at = 1'],
] as const;

const ways = [
  ['PUT', (id: number) => `PUT /webhooks/${id}`, { active: true }],
  ['its twin', (id: number) => `PUT /orders/webhooks/${id}`, { active: true, name: 'new' }],
  ['resume', (id: number) => `POST /webhooks/${id}/resume`, { resume: 'all' }],
] as const;

describe('the webhook of an app that may not use the store any more', () => {
  it.each(ends.flatMap((end) => ways.map((way) => [way[0], end[0], end[1], way] as const)))(
    '422: %s by a header pair does not make it active when the app %s',
    async (_name, _why, change, [, request, body]) => {
      const { shop, id, picture } = await ofAnApp();
      await endGrants(shop.id, change);
      const before = await picture();
      const answer = await shop.api(request(id), body);
      expect([answer.status, answer.body.errors]).toEqual([
        422,
        { active: ['The app that made this webhook is not connected to the store any more.'] },
      ]);
      expect(await picture()).toEqual(before);
    },
  );

  it('422: nor does a new URL of one that was switched off, and no ping is sent', async () => {
    const { shop, id, picture } = await ofAnApp();
    await env.STORE_0.prepare('update webhook_endpoints set status = 2 where id = ?')
      .bind(id)
      .run();
    await endGrants(shop.id, 'revoked_at = 1');
    using outside = network(() => new Response('ok'));
    const before = await picture();
    const moved = { url: 'http://127.0.0.1:9/other' };
    expect((await shop.api(`PUT /webhooks/${id}`, moved)).status).toBe(422);
    expect(await picture()).toEqual(before);
    expect(outside.requests).toEqual([]);
  });

  it('comes back once the merchant has connected the app again, not by consent without a redemption', async () => {
    const { shop, connected, id } = await ofAnApp();
    await endGrants(shop.id, 'revoked_at = 1');
    const approved = await approve(shop, connected.app);
    expect((await shop.api(`POST /webhooks/${id}/resume`, {})).status).toBe(422);
    expect((await post(redemption(approved))).status).toBe(200);
    expect((await shop.api(`POST /webhooks/${id}/resume`, {})).status).toBe(200);
    expect(await logOf(id)).toMatchObject([{ state: 0 }]);
  });

  it('still answers to all that sends nothing: pausing, renaming, its log, deleting', async () => {
    const { shop, id } = await ofAnApp();
    await endGrants(shop.id, 'revoked_at = 1');
    for (const [request, body] of [
      [`PUT /webhooks/${id}`, { active: false, name: 'renamed' }],
      [`PUT /webhooks/${id}`, { url: 'http://127.0.0.1:9/other' }],
      [`GET /webhooks/${id}/deliveries`, undefined],
      [`DELETE /webhooks/${id}`, undefined],
    ] as const) {
      expect((await shop.api(request, body)).status, request).toBe(200);
    }
  });
});
