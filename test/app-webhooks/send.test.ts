import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { sendAppEvents } from '../../src/app-webhooks/send.ts';
import { removeAppWebhook, setAppWebhook } from '../../src/people/partners/app-webhook.ts';
import { countingDatabase, noCost } from '../support/api/measure.ts';
import { deedOf } from '../support/deed.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { sentMails } from '../support/mail.ts';
import { connectApp } from '../support/oauth/partner.ts';
import { appWithWebhook, carry, deliver, deliveriesOf, webhookOf } from './support.ts';
import '../support/empty-outboxes.ts';

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

/** A database that is cut off at the call of this number, before or after it has done its work. */
function cutOff(database: D1Database, call: number, isAfter: boolean) {
  let calls = 0;
  const count = async <T>(run: () => Promise<T>): Promise<T> => {
    calls += 1;
    if (calls !== call) return run();
    if (isAfter) await run();
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

  it('a webhook that fails for 72 h is switched off, its partner is told once, and saving it sends what waits', async () => {
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
    await setAppWebhook(deedOf(store.userId), { clientId, url });
    expect(await deliver(url, { now: started + 100 * hour })).toHaveLength(1);
  });

  it('a 410 switches the webhook off at once; a removed one gets nothing', async () => {
    const gone = await withEvent();
    await deliver(gone.url, { respond: () => new Response(null, { status: 410 }) });
    expect((await webhookOf(gone.clientId))?.active).toBe(0);
    expect((await deliveriesOf(gone.clientId))[0]?.due_at).not.toBeNull();
    const other = await withEvent();
    await removeAppWebhook(deedOf(other.store.userId), other.clientId);
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
});
