import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { disconnectApp } from '../../src/oauth/revoke-grants.ts';
import { purgeAudit } from '../../src/ops/purge-directory.ts';
import { maintenancePurgeStatements } from '../../src/webhooks/sweep/purge-statements.ts';
import { createApiClient } from '../support/api/client.ts';
import {
  callWithBindings,
  countingDatabase,
  measureRequest,
  noCost,
} from '../support/api/measure.ts';
import { addTestKey } from '../support/fixtures/keys.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { connectApp } from '../support/oauth/partner.ts';

interface Entry {
  id: string;
  actor: { kind: string; id: string; name: string };
  action: string;
  target: { kind: string; id: string };
  changes: Record<string, [unknown, unknown]>;
}

const url = 'https://hooks.shop.test/orders?token=hush-hush';
const mail = {
  host: 'smtp.shop.test',
  port: 587,
  username: 'loja',
  password: 'hush-hush',
  encryption: 'tls',
  from: 'loja@shop.test',
  name: 'Loja',
};

const entriesOf = async (store: TestStore, query = ''): Promise<Entry[]> =>
  (await store.api(`GET /audit?limit=100${query}`)).body.data;

/** Adds a line to the directory, as an action on a member does. */
const addMemberLine = ({ id }: TestStore, at: number) =>
  env.DIRECTORY.prepare(
    `insert into audit (at, actor_kind, actor_id, actor_name, action, target_kind, target_id, store_id)
     values (?, 'user', '1', 'Olga', 'member.invited', 'user', '1', ?)`,
  )
    .bind(at, id)
    .run();

let shop: TestStore;
let webhook: number;
beforeAll(async () => {
  shop = await createTestStore({ withPayments: true });
  const created = await shop.api('POST /webhooks', { name: 'ERP', url, events: ['order.paid'] });
  webhook = created.body.data.id;
});

describe('GET /{alias}/audit', () => {
  it('returns 200 with who changed what, from where, and the values before and after', async () => {
    await shop.api(
      `PUT /webhooks/${webhook}`,
      { name: 'Other', url: `${url}2`, events: ['order.paid', 'order.created'] },
      { 'CF-IPCountry': 'BR', 'CF-Connecting-IP': '192.0.2.77' },
    );
    await shop.api('PUT /config/settings', { cart_idle_minutes: 90 });
    await shop.api('PUT /config/settings', { cart_idle_minutes: 90 });
    const [settings, edited, created] = (await shop.api('GET /audit')).body.data;
    const keyId = await env.DIRECTORY.prepare('select id from api_keys where user_id = ?')
      .bind(shop.userId)
      .first<number>('id');
    expect(edited).toEqual({
      id: expect.stringMatching(/^s\d+$/),
      at: expect.objectContaining({ timezone: 'America/Sao_Paulo' }),
      actor: { kind: 'api_key', id: String(keyId), name: 'test' },
      action: 'webhook.edited',
      target: { kind: 'webhook', id: String(webhook) },
      reason: null,
      changes: {
        name: ['ERP', 'Other'],
        url: [null, 'changed'],
        events: [['order.paid'], ['order.created', 'order.paid']],
      },
      from: { country: 'BR', network: '192.0.2.0/24' },
    });
    expect(settings).toMatchObject({
      action: 'settings.changed',
      changes: { cart_idle_minutes: [60, 90] },
    });
    expect(created).toMatchObject({ action: 'webhook.created', changes: {} });
  });

  it('has the payment and e-mail configuration, but no secret', async () => {
    const own = await createTestStore({ withPayments: true });
    await own.api('POST /config/emails', mail);
    await own.api('POST /config/emails', mail);
    await own.api('POST /config/emails', { ...mail, port: 465, password: 'hush-hush-2' });
    const [payment] = (await own.api('GET /checkout/payments')).body.data;
    const path = `PUT /checkout/payments/${payment.id}/config/${payment.config_id}`;
    await own.api(path, { percent_discount: 5 });
    await own.api(path, { percent_discount: 5 });
    await own.api('POST /webhooks', { name: 'ERP', url, events: ['order.paid'] });
    const response = await own.api('GET /audit');
    expect(JSON.stringify(response.body)).not.toMatch(/hush/);
    const entries: Entry[] = response.body.data;
    expect(entries.map(({ action, changes }) => [action, changes])).toEqual([
      ['webhook.created', {}],
      ['payments.configured', { percent_discount: [0, 5] }],
      ['emails.configured', { port: [587, 465], password: [null, 'changed'] }],
      ['emails.configured', expect.objectContaining({ host: [null, 'smtp.shop.test'] })],
    ]);
  });

  it('names apps when they are connected and disconnected', async () => {
    const { app, store } = await connectApp(await createTestStore());
    await disconnectApp(env, store, app.client_id, Date.now());
    await disconnectApp(env, store, app.client_id, Date.now());
    const { body } = await store.api('GET /audit?kind=app');
    expect(body.data).toMatchObject([
      { action: 'app.disconnected', target: { id: app.client_id } },
      { action: 'app.connected', target: { id: app.client_id } },
    ]);
  });

  it('walks through both databases in the order of time, with each entry once, while others are added', async () => {
    const own = await createTestStore();
    const start = Date.now() + 60_000;
    for (let at = 0; at < 6; at += 1) await addMemberLine(own, start - at * 10);
    for (const name of ['A', 'B', 'C']) {
      await own.api('POST /webhooks', { name, url, events: ['order.paid'] });
    }
    await addMemberLine(own, 1);
    const all = await entriesOf(own);
    expect(all).toHaveLength(10);
    const walked: Entry[] = [];
    let cursor = '';
    do {
      const { body, headers } = await own.api(`GET /audit?limit=3${cursor && `&cursor=${cursor}`}`);
      walked.push(...body.data);
      cursor = body.meta.cursor.next;
      expect(headers.get('Link') !== null).toBe(cursor !== '');
      await addMemberLine(own, start + 1_000);
    } while (cursor !== '');
    expect(walked).toEqual(all);
  });

  it('filters by actor, kind, action and time', async () => {
    const own = await createTestStore();
    await own.api('POST /webhooks', { name: 'A', url, events: ['order.paid'] });
    await own.api('PUT /config/settings', { cart_idle_minutes: 10 });
    await addMemberLine(own, Date.now() - 86_400_000);
    const [settings, created] = await entriesOf(own);
    const actionsOf = async (query: string) =>
      (await entriesOf(own, query)).map(({ action }) => action);
    expect(await actionsOf('&kind=webhook')).toEqual(['webhook.created']);
    expect(await actionsOf('&action=settings.changed')).toEqual(['settings.changed']);
    expect(await actionsOf('&actor_kind=user')).toEqual(['member.invited']);
    expect(await actionsOf(`&actor_id=${settings?.actor.id}&kind=settings`)).toEqual([
      'settings.changed',
    ]);
    const yesterday = new Date(Date.now() - 3_600_000).toISOString();
    expect(await actionsOf(`&to=${yesterday}`)).toEqual(['member.invited']);
    expect(await actionsOf(`&from=${yesterday}&kind=webhook`)).toEqual([created?.action]);
  });

  it('reads a time as programs print it, also with a plus sign that the query lost', async () => {
    const own = await createTestStore();
    await addMemberLine(own, Date.parse('2026-03-05T12:04:07.500Z'));
    for (const time of [
      '2026-03-05T12:04:07Z',
      '2026-03-05T09:04:07.000-03:00',
      '2026-03-05T13:04:07+01:00',
      '2026-03-05 13:04:07 01:00',
      '2026-03-05 13:04:07+01',
      '2026-03-05T17:34:07.5+05:30[Asia/Kolkata]',
      '2026-03-05T09:04:07',
      '2026-03-05 09:04:07',
      'Thu, 05 Mar 2026 12:04:07 GMT',
    ]) {
      const sent = encodeURIComponent(time).replaceAll('%2B', '+');
      const [after, before] = [
        await entriesOf(own, `&from=${sent}`),
        await entriesOf(own, `&to=${sent}`),
      ];
      expect([after.length, before.length], time).toEqual([1, 0]);
    }
  });

  it('returns 400 for a cursor, a kind or a time that is none', async () => {
    for (const [name, value] of [
      ['cursor', 'yesterday'],
      ['actor_kind', 'robot'],
      ['kind', 'robot'],
      ['from', '2031-13-01'],
      ['to', '05/03/2031 09:04:07'],
    ]) {
      const { status, body } = await shop.api(`GET /audit?${name}=${value}`);
      expect([status, Object.keys(body.errors)], name).toEqual([400, [name]]);
    }
  });

  it('returns 403 without config.read, and nothing of another store', async () => {
    const other = await createTestStore();
    await addMemberLine(other, Date.now());
    const own = await createTestStore();
    expect(await entriesOf(own)).toEqual([]);
    const headers = await addTestKey(own.userId, { scopes: ['catalog.read', 'webhooks.write'] });
    expect((await createApiClient(own.alias, headers)('GET /audit')).status).toBe(403);
  });

  it('costs one round trip to each database, whatever was done before, and one more for names of apps', async () => {
    const own = await createTestStore();
    await own.api('GET /audit');
    const measured = async () => {
      const { directory, data } = await measureRequest(own, 'GET /audit?limit=5');
      expect(data.rowsRead).toBeLessThan(20);
      return [directory.roundTrips, data.roundTrips];
    };
    expect(await measured()).toEqual([1, 1]);
    for (let count = 0; count < 30; count += 1) await addMemberLine(own, count);
    await own.api('POST /webhooks', { name: 'A', url, events: ['order.paid'] });
    expect(await measured()).toEqual([1, 1]);
    const cost = noCost();
    const bindings = { DIRECTORY: countingDatabase(env.DIRECTORY, cost) };
    const { app, store } = await connectApp(own);
    await callWithBindings(store, 'GET /audit', undefined, bindings);
    expect([cost.roundTrips, app.client_id !== '']).toEqual([2, true]);
  });
});

describe('lines of the audit', () => {
  it('are kept for a year, in both databases', async () => {
    const own = await createTestStore();
    const year = 365 * 86_400_000;
    const now = Math.floor(Date.now() / 3_600_000) * 3_600_000 + 41 * 60_000;
    await addMemberLine(own, now - year - 1);
    await addMemberLine(own, now - year + 1);
    await purgeAudit(env.DIRECTORY, now - 60_000);
    expect(await entriesOf(own)).toHaveLength(2);
    await purgeAudit(env.DIRECTORY, now);
    expect(await entriesOf(own)).toHaveLength(1);
    const shard = own.shard === 0 ? env.STORE_0 : env.STORE_1;
    const add = (id: string) =>
      own.api('POST /webhooks', { name: id, url, events: ['order.paid'] });
    await add('old');
    await shard
      .prepare('update store_audit set at = ?2 where store_id = ?1')
      .bind(own.id, now - year - 1)
      .run();
    await add('new');
    expect(await entriesOf(own)).toHaveLength(3);
    await shard.batch(maintenancePurgeStatements(now).map((prepare) => prepare(shard)));
    expect(await entriesOf(own)).toHaveLength(2);
  });
});
