import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { seal } from '../../../src/base/crypto/seal.ts';
import { settingsOf } from '../../../src/base/settings.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import type { App } from '../../../src/data/directory/apps.ts';
import { revokeStatements } from '../../../src/data/grants/add-and-revoke.ts';
import { eventNames, type EventName } from '../../../src/data/grants/event-catalogue.ts';
import { scopesToBits, type Scope } from '../../../src/data/grants/scopes.ts';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { disconnectApp } from '../../../src/oauth/revoke-grants.ts';
import { publish } from '../../../src/webhooks/events/publish.ts';
import { findDelivery } from '../../../src/webhooks/log/delivery-record.ts';
import { continueReplays } from '../../../src/webhooks/replay/replay-run.ts';
import { replayEvent, startReplay } from '../../../src/webhooks/replay/start-replay.ts';
import { createSecret } from '../../../src/webhooks/signature.ts';
import { openStoreDb } from '../../support/fixtures/store-db.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { connectApp, createTestApp, type ConnectedTestApp } from '../../support/oauth/partner.ts';
import { isSlow } from '../../support/slow.ts';
import { createConsumer, respondOk } from '../../support/webhooks/consumer.ts';
import { sweepContextAt } from '../../support/webhooks/sweep-context.ts';
import '../../support/fixtures/first-shard.ts';

/** The scopes of each event, written by hand. */
const needs: Record<EventName, readonly string[]> = {
  'order.created': ['orders.read', 'customers.read'],
  'order.paid': ['orders.read', 'customers.read'],
  'order.status.updated': ['orders.read', 'customers.read'],
  'order.invoice.created': ['invoices.read'],
  'order.invoice.updated': ['invoices.read'],
  'transaction.payment.refused': ['transactions.read', 'customers.read'],
  'cart.reminder': ['carts.read', 'customers.read'],
  'customer.created': ['customers.read'],
  'customer.address.created': ['customers.read'],
  'product.created': ['catalog.read'],
  'product.updated': ['catalog.read'],
  'product.deleted': ['catalog.read'],
  'product.inventory.updated': ['inventory.read'],
  'catalog.import_completed': ['catalog.read'],
};

/** Scopes that a merchant allows. Every app may also manage webhooks. */
const consents = {
  everything: [
    'orders.read',
    'invoices.read',
    'transactions.read',
    'carts.read',
    'customers.read',
    'catalog.read',
    'inventory.read',
  ],
  'everything but customers': [
    'orders.write',
    'invoices.write',
    'transactions.read',
    'carts.write',
    'catalog.write',
    'inventory.read',
  ],
  'writing orders and customers': ['orders.write', 'customers.write'],
  'the catalog only': ['catalog.read'],
} as const satisfies Record<string, readonly Scope[]>;

type Consent = keyof typeof consents;
const consentNames = Object.keys(consents) as Consent[];

const missingOf = (event: EventName, consent: Consent) =>
  needs[event].filter((scope) => {
    const held: readonly string[] = consents[consent];
    return !held.includes(scope) && !held.includes(scope.replace('.read', '.write'));
  });

const receivedUnder = (...granted: Consent[]) =>
  eventNames.filter((event) => granted.some((consent) => missingOf(event, consent).length === 0));

/** Each consent once before and once after another; in a slow run every pair. */
const pairs = consentNames
  .flatMap((before) => consentNames.map((after) => [before, after] as const))
  .filter(
    ([before, after]) => isSlow || consentNames.indexOf(before) + consentNames.indexOf(after) === 3,
  );

const allow = (store: TestStore, app: App, consent: Consent) => {
  const scopes = scopesToBits(new Set<Scope>(['webhooks.write', ...consents[consent]]));
  return connectApp(store, { app: { ...app, scopes } });
};

/**
 * Inserts an active webhook of an app for each event, and one for all events. Returns their ids in
 * this order.
 */
async function insertWebhooks({ id: storeId }: TestStore, { client_id }: App) {
  const secret = createSecret();
  const sealed = await seal(settingsOf(env).sealingKeys, secret, `webhook-secret:${storeId}`);
  const hooks = [...eventNames.map((name) => [name]), [...eventNames]];
  const now = Date.now();
  const insert = env.STORE_0.prepare(
    `insert into webhook_endpoints (store_id, client_id, url, url_folded, name, name_folded, secret_current,
       last_success_at, created_at, updated_at)
     values (?1, ?2, ?3, ?3, 'n', 'n', ?4, ?5, ?5, ?5) returning id`,
  );
  const url = `https://r${storeId}.receiver.example/hooks`;
  const inserted = await env.STORE_0.batch<{ id: number }>(
    hooks.map(() => insert.bind(storeId, client_id, url, sealed, now)),
  );
  const ids = inserted.map(({ results }) => results[0]!.id);
  const subscriptions = hooks.flatMap((names, index) => names.map((name) => [name, ids[index]]));
  await env.STORE_0.prepare(
    `insert into webhook_subscriptions (store_id, event, endpoint_id)
     select ?1, value ->> 0, value ->> 1 from json_each(?2)`,
  )
    .bind(storeId, JSON.stringify(subscriptions))
    .run();
  return ids;
}

/** Connects an app, whose webhooks receive the allowed events. */
async function createListener(before: Consent) {
  const store = await createTestStore();
  const app = await createTestApp();
  const connected = await allow(store, app, before);
  const ids = await insertWebhooks(store, app);
  const all = ids.at(-1)!;
  const single = (name: EventName) => ids[eventNames.indexOf(name)]!;
  /** The state of every delivery, oldest first. */
  const deliveries = async (id?: number) => {
    const { results } = await env.STORE_0.prepare(
      `select d.endpoint_id as id, d.seq, d.state, d.trigger, e.id as event_id, e.event
       from webhook_deliveries d join webhook_events e on e.id = d.event_id
       where d.endpoint_id in (select value from json_each(?)) order by d.endpoint_id, d.seq`,
    )
      .bind(JSON.stringify(id === undefined ? ids : [id]))
      .all<{
        id: number;
        seq: number;
        state: number;
        trigger: string;
        event_id: string;
        event: EventName;
      }>();
    return results;
  };
  return { store, app, connected, ids, all, single, deliveries };
}

type Listener = Awaited<ReturnType<typeof createListener>>;

/** Lets every event happen once. */
const causeEvents = ({ store }: Listener) =>
  publish(
    openStoreDb(store),
    [],
    eventNames.map((name) => ({ name, resource: { id: 1 } })),
  );

/** The events that new deliveries were recorded for, once per webhook. */
async function newlyRecorded(listener: Listener, cause: () => Promise<unknown>) {
  const before = await listener.deliveries();
  await cause();
  const isNew = ({ id, seq }: { id: number; seq: number }) =>
    !before.some((one) => one.id === id && one.seq === seq);
  return (await listener.deliveries()).filter(isNew);
}

/** Each of these events is recorded for its own webhook and for that of all events. */
const twice = (events: readonly EventName[]) => [...events, ...events];

/** Runs a worker for all webhooks. Returns the events that arrive. */
async function deliverAll({ ids }: Listener): Promise<string[]> {
  const run = createConsumer(respondOk);
  run.clock.now = Date.now() + 1;
  for (let round = 0; round < 2; round += 1) {
    await run.deliver(...ids);
    run.clock.now += 120_000;
  }
  return run.requests.map(({ headers }) => topicOf(headers));
}

const topicOf = (headers: Headers) =>
  [...headers].find(([name]) => name.endsWith('-topic'))?.[1] ?? '';

/** Makes every webhook active and every delivery due, as if no pause had happened. */
const forceOpen = ({ ids }: Listener) =>
  env.STORE_0.batch(
    [
      `update webhook_endpoints set status = 0, next_attempt_at = 1 where id in (select value from json_each(?))`,
      `update webhook_deliveries set state = 0, due_at = 0
       where endpoint_id in (select value from json_each(?)) and state in (0, 3)`,
    ].map((statement) => env.STORE_0.prepare(statement).bind(JSON.stringify(ids))),
  );

const sorted = (names: readonly string[]) => names.toSorted();
const statusOf = async (work: Promise<unknown>) =>
  work.then(
    () => 200,
    (error: { status?: number }) => error.status,
  );

describe('an app receives only what its merchant allows now', () => {
  it.each(pairs)('after disconnecting from %s and reconnecting to %s', async (before, after) => {
    const listener = await createListener(before);
    const { store, app, ids, all, single, deliveries } = listener;
    const db = openStoreDb(store);
    const [then, now] = [receivedUnder(before), receivedUnder(after)];
    const owner = { clientId: app.client_id };
    const actor = { ...owner, key: 'test', userId: store.userId };

    // Fan-out under consent, without consent, and under the new consent while the webhooks are
    // paused.
    const first = await newlyRecorded(listener, () => causeEvents(listener));
    expect(sorted(first.map(({ event }) => event))).toEqual(sorted(twice(then)));
    await disconnectApp(env, { id: store.id, shard: 0 }, app.client_id, Date.now());
    const statuses = await env.STORE_0.prepare(
      'select distinct status from webhook_endpoints where id in (select value from json_each(?))',
    )
      .bind(JSON.stringify(ids))
      .all();
    expect(statuses.results).toEqual([{ status: EndpointStatus.paused }]);
    expect(await newlyRecorded(listener, () => causeEvents(listener))).toEqual([]);
    const reconnected = await allow(store, app, after);
    const later = await newlyRecorded(listener, () => causeEvents(listener));
    expect(sorted(later.map(({ event }) => event))).toEqual(sorted(twice(now)));
    expect(new Set(later.map(({ state }) => state))).toEqual(new Set([DeliveryState.held]));

    // The log of deliveries, and the feed.
    for (const { seq, event } of await deliveries(all)) {
      const found = await findDelivery(db, owner, all, seq);
      const isReceived = now.includes(event);
      expect([event, found?.body !== null, found?.withheld ?? null]).toEqual([
        event,
        isReceived,
        isReceived ? null : 'scope',
      ]);
    }
    const feed = await reconnected.api('GET /events?limit=100');
    const recorded = [...first, ...later].map(({ event }) => event);
    expect(sorted(feed.body.data.map(({ event }: { event: string }) => event))).toEqual(
      sorted(recorded.filter((event) => now.includes(event))).filter((_, index) => index % 2 === 0),
    );

    // Activation of each webhook, by PUT or resume.
    for (const event of eventNames) {
      const id = single(event);
      const missing = missingOf(event, after);
      const isPut = eventNames.indexOf(event) % 2 === 0;
      const response = isPut
        ? await reconnected.api(`PUT /webhooks/${id}`, { active: true })
        : await store.api(`POST /webhooks/${id}/resume`, { resume: 'all' });
      expect([event, response.status, response.body.errors?.scope]).toEqual([
        event,
        missing.length === 0 ? 200 : 403,
        missing.length === 0 ? undefined : missing.map((scope) => `Requires ${scope}.`),
      ]);
    }
    expect(sorted(await deliverAll(listener))).toEqual(
      sorted([...then.filter((event) => now.includes(event)), ...now]),
    );

    // A webhook of all events becomes active once it leaves out what is not allowed; the rest stays
    // held.
    const held = (await deliveries(all)).filter(({ event }) => !now.includes(event));
    const whole = await reconnected.api(`PUT /webhooks/${all}`, { active: true });
    expect(whole.status).toBe(now.length === eventNames.length ? 200 : 403);
    const less = await reconnected.api(`PUT /webhooks/${all}`, { active: true, events: now });
    expect(less.status).toBe(200);
    await deliverAll(listener);
    for (const { seq } of held) {
      const row = (await deliveries(all)).find((one) => one.seq === seq);
      expect(row).toMatchObject({ trigger: 'event' });
      expect(row?.state).not.toBe(DeliveryState.delivered);
    }

    // Replays of a delivery, of an event and of a period.
    for (const { seq, event, event_id } of await deliveries(all)) {
      if (first.every((one) => one.event_id !== event_id)) continue;
      const expected = now.includes(event) ? 200 : 403;
      expect([event, await statusOf(startReplay(db, actor, all, { seq }))]).toEqual([
        event,
        expected,
      ]);
      expect([event, await statusOf(replayEvent(db, actor, event_id))]).toEqual([event, expected]);
    }
    const period = { from: 0, to: Date.now() + 60_000, states: [1, 2, 3, 4], events: null };
    const replayed = await newlyRecorded(listener, async () => {
      await startReplay(db, actor, all, period);
      await continueReplays(sweepContextAt(Date.now()));
    });
    for (const { event } of replayed) expect(now).toContain(event);

    // Open deliveries that nothing paused.
    await forceOpen(listener);
    for (const event of await deliverAll(listener)) expect(now).toContain(event);
    expect((await deliveries()).filter(({ state }) => state === DeliveryState.open)).toEqual([]);
  });

  it.each(pairs)('while it holds %s and %s, and after the first ends', async (wide, narrow) => {
    const listener = await createListener(wide);
    const { store, app, connected, ids } = listener;
    await allow(store, app, narrow);
    const [both, rest] = [receivedUnder(wide, narrow), receivedUnder(narrow)];
    const first = await newlyRecorded(listener, () => causeEvents(listener));
    expect(sorted(first.map(({ event }) => event))).toEqual(sorted(twice(both)));
    await endGrant(connected);
    const { results } = await env.STORE_0.prepare(
      'select id from webhook_endpoints where id in (select value from json_each(?)) and status = 0',
    )
      .bind(JSON.stringify(ids))
      .all<{ id: number }>();
    const active = eventNames.filter((_, index) => results.some(({ id }) => id === ids[index]));
    expect(active).toEqual(rest);
    const later = await newlyRecorded(listener, () => causeEvents(listener));
    expect(sorted(later.map(({ event }) => event))).toEqual(sorted(twice(rest)));
    for (const event of await deliverAll(listener)) expect(rest).toContain(event);
  });
});

const endGrant = async ({ grantId }: ConnectedTestApp) => {
  const shard = openDatabase(env.STORE_0);
  await shard.batch(
    revokeStatements(shard, sql`id = ${grantId}`, 'refresh_token_reused', Date.now()),
  );
};

describe('a webhook of an app', () => {
  it.each(consentNames)('is created for allowed events, else 403: %s', async (consent) => {
    const store = await createTestStore();
    const connected = await allow(store, await createTestApp(), consent);
    for (const event of eventNames) {
      const missing = missingOf(event, consent);
      const url = 'http://127.0.0.1:9/unreachable';
      const made = await connected.api('POST /webhooks', { url, name: 'n', events: [event] });
      expect([event, made.status, made.body.errors?.scope]).toEqual([
        event,
        missing.length === 0 ? 201 : 403,
        missing.length === 0 ? undefined : missing.map((scope) => `Requires ${scope}.`),
      ]);
    }
  });

  it('gets no further event by a PUT of the merchant: 403, and nothing changes', async () => {
    const store = await createTestStore();
    const connected = await allow(store, await createTestApp(), 'the catalog only');
    const webhook = { url: 'http://127.0.0.1:9/x', name: 'n', events: ['product.created'] };
    const { body } = await connected.api('POST /webhooks', webhook);
    const path = `/webhooks/${body.data.id}`;
    const before = await store.api(`GET ${path}`);
    const events = ['product.created', 'order.created'];
    const response = await store.api(`PUT ${path}`, { events, name: 'renamed' });
    expect([response.status, response.body.errors]).toEqual([
      403,
      { scope: ['Requires orders.read.', 'Requires customers.read.'] },
    ]);
    expect((await store.api(`GET ${path}`)).body).toEqual(before.body);
  });

  it('receives nothing after its grant has expired, before anything has paused it', async () => {
    const listener = await createListener('everything');
    await causeEvents(listener);
    await env.STORE_0.prepare('update oauth_grants set expires_at = 1 where store_id = ?')
      .bind(listener.store.id)
      .run();
    expect(await newlyRecorded(listener, () => causeEvents(listener))).toEqual([]);
    expect(await deliverAll(listener)).toEqual([]);
    const states = (await listener.deliveries()).map(({ state }) => state);
    expect(new Set(states)).toEqual(new Set([DeliveryState.held]));
  });
});
