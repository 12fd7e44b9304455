import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { removeAppWebhook, setAppWebhook } from '../../src/accounts/partners/app-webhook.ts';
import { sendAppEvents } from '../../src/ops/app-webhooks.ts';
import { actionOf } from '../support/action.ts';
import { countingDatabase, noCost } from '../support/api/measure.ts';
import { emptyOutboxes } from '../support/empty-outboxes.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { sentMails } from '../support/mail.ts';
import { connectApp } from '../support/oauth/partner.ts';
import {
  appWithWebhook,
  carry,
  deliver,
  deliveriesOf,
  recordEvents,
  webhookOf,
} from '../webhooks/app-webhook-support.ts';

emptyOutboxes();

const minute = 60_000;
const hour = 60 * minute;

/** An app with a webhook that has one event to send. */
async function withEvent() {
  const store = await createTestStore();
  const made = await appWithWebhook(store.userId);
  await connectApp(store, { app: made.app });
  await carry(store);
  return { store, ...made };
}

/**
 * A database that is gone from the call of this number on; that call does its work first if
 * `isAfter`.
 */
function cutOff(database: D1Database, call: number, isAfter: boolean) {
  let calls = 0;
  const count = async <T>(run: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls < call) return run();
    if (calls === call && isAfter) await run();
    throw new Error('Network connection lost.');
  };
  return {
    prepare: (sql: string) => database.prepare(sql),
    batch: (statements: D1PreparedStatement[]) => count(() => database.batch(statements)),
  } as unknown as D1Database;
}

describe('sending events of apps', () => {
  it('a run that is cut off at any call loses nothing, and doubles only with the same id', async () => {
    const { url, clientId } = await withEvent();
    let now = Date.now();
    const ids: (string | undefined)[] = [];
    for (const [call, isAfter] of [
      [1, false],
      [1, true],
      [2, false],
      [3, false],
    ] as const) {
      const bindings = { DIRECTORY: cutOff(env.DIRECTORY, call, isAfter) };
      const run = deliver(url, { now, bindings });
      await expect(run).rejects.toThrow();
      now += 2 * minute;
    }
    for (const { headers } of await deliver(url, { now })) ids.push(headers['webhook-id']);
    expect(ids).toEqual([(await deliveriesOf(clientId))[0]?.event_id]);
    expect(await deliver(url, { now: now + hour })).toEqual([]);
  });

  it('notices that are read twice are one event, and parallel runs send it once', async () => {
    const store = await createTestStore();
    const { app, url, clientId } = await appWithWebhook(store.userId);
    await connectApp(store, { app });
    const name = `STORE_${store.shard}` as 'STORE_0';
    const db = env[name];
    const broken = {
      prepare: (sql: string) => {
        if (sql.startsWith('delete from "store_notices"')) throw new Error('lost');
        return db.prepare(sql);
      },
      batch: (statements: D1PreparedStatement[]) => db.batch(statements),
    } as unknown as D1Database;
    await expect(carry(store, { [name]: broken })).rejects.toThrow();
    await carry(store);
    expect(await deliveriesOf(clientId)).toHaveLength(1);
    const sent = await Promise.all([deliver(url), deliver(url), deliver(url)]);
    expect(sent.flat()).toHaveLength(1);
  });

  it('an idle minute costs one round trip, also beside a thousand deliveries that arrived', async () => {
    const { url, clientId } = await withEvent();
    await deliver(url);
    await env.DIRECTORY.prepare(
      `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000)
       insert into app_deliveries (key, event_id, client_id, store_id, event, body, created_at, delivered_at)
       select ?1 || i, '', ?1, 1, 'app.connected', '', ?2, ?2 from n`,
    )
      .bind(clientId, Date.now())
      .run();
    const cost = noCost();
    const DIRECTORY = countingDatabase(env.DIRECTORY, cost);
    const fetch = () => Promise.resolve(new Response());
    const run = (bindings: Partial<Env>) =>
      sendAppEvents({ ...env, ...bindings }, { isSweep: true, deps: { fetch } });
    await run({});
    await run({ DIRECTORY });
    expect(cost).toMatchObject({ roundTrips: 1, rowsWritten: 0 });
    expect(cost.rowsRead).toBeLessThan(8);
  });

  it('a 500 is tried again after 5 s, and a success ends the failure', async () => {
    const { url, clientId } = await withEvent();
    const now = Date.now();
    const fail = () => new Response(null, { status: 500 });
    const [first] = await deliver(url, { now, respond: fail });
    expect(await deliver(url, { now: now + 4_000 })).toEqual([]);
    const [second] = await deliver(url, { now: now + 5_000 });
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(await webhookOf(clientId)).toMatchObject({
      failures: 0,
      failing_since: null,
      next_at: null,
    });
  });

  it('a webhook that fails for 72 h is switched off, its partner is notified once, and saving it sends what waits', async () => {
    const { store, url, clientId } = await withEvent();
    const started = Date.now();
    const fail = () => new Response(null, { status: 503 });
    for (let now = started; now < started + 80 * hour; now += 6 * hour) {
      await deliver(url, { now, respond: fail });
    }
    expect((await webhookOf(clientId))?.active).toBe(0);
    const mails = await sentMails(`${store.alias}@store.test`, 'app_webhook_switched_off');
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).toContain('hooks.partner.test');
    await setAppWebhook(actionOf(store.userId), { clientId, name: 'App', url });
    expect(await deliver(url, { now: started + 100 * hour })).toHaveLength(1);
  });

  it('a 410 switches the webhook off at once; a removed one gets nothing', async () => {
    const gone = await withEvent();
    await deliver(gone.url, { respond: () => new Response(null, { status: 410 }) });
    expect((await webhookOf(gone.clientId))?.active).toBe(0);
    expect((await deliveriesOf(gone.clientId))[0]?.due_at).not.toBeNull();
    const other = await withEvent();
    await removeAppWebhook(actionOf(other.store.userId), other.clientId);
    expect(await deliver(other.url)).toEqual([]);
    expect(await deliveriesOf(other.clientId)).toEqual([]);
  });

  it('an event that is always rejected holds up no other', async () => {
    const { store, url, app, clientId } = await withEvent();
    await deliver(url);
    await connectApp(store, { app });
    await connectApp(store, { app });
    await carry(store);
    const statuses = [422, 200];
    const sent = await deliver(url, {
      respond: () => new Response(null, { status: statuses.shift() ?? 500 }),
    });
    expect(sent).toHaveLength(2);
    expect((await deliveriesOf(clientId)).map(({ due_at: due }) => due === null)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('a run stops when the webhook gets another URL, and says nothing about that one', async () => {
    const { store, url, clientId } = await withEvent();
    await deliver(url);
    await recordEvents(clientId, 10);
    let answers = 0;
    const sent = await deliver(url, {
      respond: async () => {
        answers += 1;
        if (answers === 1) {
          await setAppWebhook(actionOf(store.userId), { clientId, name: 'App', url: `${url}/2` });
        }
        return new Response();
      },
    });
    expect(sent.length).toBeLessThanOrEqual(7);
    expect(await webhookOf(clientId)).toMatchObject({
      active: 1,
      proven_at: null,
      leased_until: 0,
    });
    expect(await deliver(`${url}/2`)).toHaveLength(10 - sent.length);
  });

  it('a webhook whose secret cannot be read waits ten minutes, and fails for nothing', async () => {
    const { url, clientId } = await withEvent();
    using logged = vi.spyOn(console, 'error').mockReturnValue();
    const now = Date.now();
    const write = env.DIRECTORY.prepare(
      `update app_webhooks set secret_current = ?, failing_since = ?, next_at = ?,
        secret_mode = 0, secret_previous = null where client_id = ? returning secret_current`,
    );
    const before = await webhookOf(clientId);
    await write.bind('v1.unreadable', now - 80 * hour, now, clientId).run();
    expect(await deliver(url, { now })).toEqual([]);
    expect(await webhookOf(clientId)).toMatchObject({ active: 1, next_at: now + 10 * minute });
    expect(JSON.parse(String(logged.mock.calls[0]?.[0]))).toMatchObject({ alert: true });
    await write.bind(before?.secret_current, null, now, clientId).run();
    expect(await deliver(url, { now })).toHaveLength(1);
  });

  it('a pause that the receiver asks for is kept, and switches nothing off', async () => {
    const { url, clientId } = await withEvent();
    const now = Date.now();
    const respond = () => new Response(null, { status: 429, headers: { 'retry-after': '3600' } });
    expect(await deliver(url, { now, respond })).toHaveLength(1);
    expect(await webhookOf(clientId)).toMatchObject({
      active: 1,
      failing_since: null,
      next_at: now + hour,
    });
    expect(await deliver(url, { now: now + hour - 1 })).toEqual([]);
    expect(await deliver(url, { now: now + hour })).toHaveLength(1);
  });
});
