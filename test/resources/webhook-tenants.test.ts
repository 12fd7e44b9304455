import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import type { Operation } from '../../src/http/operation.ts';
import { sections } from '../../src/operations.ts';
import { call } from '../support/api.ts';
import { auditOf, endpointOf, fillLog, logOf, webhookOf } from '../support/log.ts';
import { network } from '../support/network.ts';
import { connect } from '../support/partner.ts';
import { store, type TestStore } from '../support/store.ts';

const rows = sections
  .flatMap(({ operations }) => operations)
  .filter(({ path }) => path.includes('webhooks/{id}'));

const bodies: Record<string, object> = {
  createWebhookReplay: { seq: 1 },
  updateWebhook: { name: 'mine', active: false },
  updateOrderWebhook: { name: 'mine', active: false },
};

/** A webhook with a log and a replay, and a picture of all that is stored of it. */
async function settled(shop: TestStore) {
  const id = await webhookOf(shop);
  await fillLog(shop, id, { count: 2 });
  await fillLog(shop, id, { count: 1, state: 3 });
  const { body } = await shop.api(`POST /webhooks/${id}/replays`, { seq: 1 });
  const replay: number = body.data.id;
  const picture = async () => ({
    endpoint: await endpointOf(id),
    log: await logOf(id),
    audit: await auditOf(id),
    replays: (await shop.api(`GET /webhooks/${id}/replays`)).body,
    shown: (await shop.api(`GET /webhooks/${id}`)).body,
  });
  return { id, replay, picture };
}

const addressOf = ({ path }: Operation, id: number, replay: number) =>
  path
    .replace('/{alias}', '')
    .replace('{id}', String(id))
    .replace('{seq}', '1')
    .replace('{replayId}', String(replay));

const madeBy = (id: number, clientId: string | null) =>
  env.STORE_0.prepare('update webhook_endpoints set client_id = ? where id = ?')
    .bind(clientId, id)
    .run();

describe.each(rows.map((row) => [row.route, row] as const))('%s', (_route, row) => {
  it('404, fault 66: for the webhook of another store, which stays as it is', async () => {
    const [owner, stranger] = [await store(), await store()];
    const { id, replay, picture } = await settled(owner);
    const before = await picture();
    using outside = network(() => new Response('ok'));
    const answer = await stranger.api(
      `${row.verb} ${addressOf(row, id, replay)}`,
      row.body ? (bodies[row.id] ?? {}) : undefined,
    );
    expect([answer.status, answer.body.errors]).toEqual([404, undefined]);
    expect(await picture()).toEqual(before);
    expect(outside.requests).toEqual([]);
  });

  it('404 for an app, when the merchant or another app made the webhook', async () => {
    const owner = await store();
    const { id, replay, picture } = await settled(owner);
    const { headers } = await connect(owner);
    using outside = network(() => new Response('ok'));
    for (const maker of [null, 'another']) {
      await madeBy(id, maker);
      const before = await picture();
      const answer = await call(row.verb, `/v2/${owner.alias}${addressOf(row, id, replay)}`, {
        headers,
        ...(row.body && { body: bodies[row.id] ?? {} }),
      });
      expect([answer.status, answer.body.errors]).toEqual([404, undefined]);
      expect(await picture()).toEqual(before);
    }
    expect(outside.requests).toEqual([]);
  });
});

describe('GET /{alias}/webhooks/{id}/replays/{replayId}', () => {
  it('404 for the replay of another webhook of the same store', async () => {
    const owner = await store();
    const { replay } = await settled(owner);
    const other = await webhookOf(owner);
    expect((await owner.api(`GET /webhooks/${other}/replays/${replay}`)).status).toBe(404);
  });
});

describe('an app', () => {
  it('reads the log of what it made', async () => {
    const owner = await store();
    const { id } = await settled(owner);
    const { headers, app } = await connect(owner);
    await madeBy(id, app.client_id);
    const path = `/v2/${owner.alias}/webhooks/${id}/deliveries`;
    const { status, body } = await call('GET', path, { headers });
    expect(status).toBe(200);
    expect(body.data.map(({ seq }: { seq: number }) => seq)).toEqual([4, 3, 2, 1]);
  });
});
