import { eq, sql, inArray } from 'drizzle-orm';
import { formatLocalTime } from '../../base/codecs/fields/local-time.ts';
import type { KeyRing } from '../../base/crypto/keys.ts';
import { seal } from '../../base/crypto/seal.ts';
import { dayMs, hourMs } from '../../base/durations.ts';
import { toProductEvent } from '../../catalog/products/events.ts';
import { productRelations } from '../../catalog/products/schema.ts';
import { skuExtras } from '../../catalog/skus/schema.ts';
import { movedFields, toStockMovedEvent } from '../../catalog/stock/stock.ts';
import { createEventId } from '../../data/core/event-id.ts';
import type { Database } from '../../data/core/open-database.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { Store } from '../../data/core/store.ts';
import { toOne } from '../../data/queries/relations.ts';
import { products, skus, stocks } from '../../data/schema/store/catalog-tables.ts';
import { ReplayState } from '../../data/schema/store/webhook-operations-tables.ts';
import {
  DeliveryState,
  EndpointStatus,
  webhookEndpoints,
} from '../../data/schema/store/webhooks-tables.ts';
import { createSeedDb } from '../../stores/test-stores/insert-missing.ts';
import { retryDelayAfter } from '../../webhooks/delivery/apply-result.ts';
import type { StoreEvent } from '../../webhooks/events/publish.ts';
import { createSecret } from '../../webhooks/signature.ts';
import { demoUsers } from './account-data.ts';
import { demoDeliveries, type DeliverySeed } from './webhook-log-data.ts';

/**
 * Builds the body of each delivery from the products of the store, as `publish` does for a change
 * at `at` (epoch milliseconds). Names what it changed.
 */
async function buildBodies(
  db: StoreDb,
  deliveries: readonly (DeliverySeed & { at: number })[],
): Promise<{ body: string; changed: string | null }[]> {
  const names = deliveries.map(({ product }) => product);
  const [productRows, stockRows] = await db.batch([
    db.select(products, { where: inArray(products.name, names), extras: productRelations }),
    db.select(stocks, { extras: { sku: toOne(skus, eq(skus.id, stocks.sku_id), skuExtras) } }),
  ]);
  return deliveries.map(({ event, product: name, at }) => {
    const product = productRows.find((row) => row.name === name);
    const stock = stockRows.find(({ product_id: id }) => id === product?.id);
    const sku = stock?.sku.data;
    if (!product || !sku) throw new Error(`no product ${name}`);
    const { resource, changed = event === 'product.updated' ? ['description'] : [] }: StoreEvent =
      event === 'product.inventory.updated'
        ? toStockMovedEvent(db, { sku, stock }, movedFields())
        : toProductEvent(db, event, product);
    const { id, alias, zone } = db.store;
    const time = formatLocalTime(at, zone);
    const body = JSON.stringify({ event, time, merchant: { id, alias }, resource });
    return { body, changed: changed.join() || null };
  });
}

const webhookName = 'ERP';
const weekMs = 7 * dayMs;
const durationMs = 85;
const lastSuccessHoursAgo = Math.min(
  ...demoDeliveries.filter(({ state }) => state === 'delivered').map(({ hoursAgo }) => hoursAgo),
);

/**
 * Creates a webhook of the owner with a delivery log in one transaction, unless the store has it.
 * It is paused, because its URL has no receiver.
 */
export async function seedWebhookLog(
  store: Store,
  database: Database,
  { now, sealingKeys, ownerId }: { now: number; sealingKeys: KeyRing; ownerId: number },
): Promise<void> {
  const db = createSeedDb(store, database, now);
  const [existing] = await db.batch([
    db.select(webhookEndpoints, { where: eq(webhookEndpoints.name, webhookName) }),
  ]);
  if (existing.length > 0) return;
  const deliveries = demoDeliveries.map((delivery) => ({
    ...delivery,
    at: now - delivery.hoursAgo * hourMs,
  }));
  const eventIds = deliveries.map(({ at }) => createEventId(store.id, at));
  const bodies = await buildBodies(db, deliveries);
  const secret = await seal(sealingKeys, createSecret(), `webhook-secret:${store.id}`);
  await db.batch([
    db.insertStatement(webhookEndpoints, {
      url: 'https://erp.loja.test/hooks/catalogue',
      name: webhookName,
      status: EndpointStatus.paused,
      secret_current: secret,
      last_seq: demoDeliveries.length,
    }),
    rawStatement(
      db,
      sql`update webhook_endpoints set created_at = ${now - weekMs},
          last_success_at = ${now - lastSuccessHoursAgo * hourMs + durationMs}
        where id = ${endpointIdOf(db)}`,
    ),
    rawStatement(
      db,
      sql`insert into store_audit (store_id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id)
        values (${store.id}, ${now - weekMs}, 'user', ${String(ownerId)}, ${demoUsers[0].name}, 'webhook.created',
          'webhook', cast(${endpointIdOf(db)} as text))`,
    ),
    ...[...new Set(demoDeliveries.map(({ event }) => event))].map((event) =>
      rawStatement(
        db,
        sql`insert into webhook_subscriptions (store_id, event, endpoint_id)
          values (${store.id}, ${event}, ${endpointIdOf(db)})`,
      ),
    ),
    ...deliveries.flatMap((delivery, index) =>
      logEntryStatements(db, delivery, {
        seq: index + 1,
        ...(bodies[index] ?? { body: '', changed: null }),
        eventId: eventIds[(delivery.replayOf ?? index + 1) - 1] ?? '',
      }),
    ),
  ]);
}

const endpointIdOf = (db: StoreDb) =>
  sql`(select id from webhook_endpoints where store_id = ${db.store.id} and name = ${webhookName})`;

/** The statements that insert one delivery, its attempts, and its event or its replay. */
function logEntryStatements(
  db: StoreDb,
  delivery: DeliverySeed & { at: number },
  {
    seq,
    eventId,
    body,
    changed,
  }: { seq: number; eventId: string; body: string; changed: string | null },
): Statement[] {
  const store = db.store.id;
  const { at } = delivery;
  const attempts = toAttempts(delivery, at);
  const last = attempts.at(-1);
  const doneAt = delivery.state === 'held' || !last ? null : last.at + durationMs;
  const statements = [
    sql`insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, attempts, trigger,
        replay_of, response_status, error, duration_ms, created_at, done_at)
      values (${endpointIdOf(db)}, ${seq}, ${eventId}, ${DeliveryState[delivery.state]}, 0, ${attempts.length},
        ${delivery.replayOf === undefined ? 'event' : 'replay'}, ${delivery.replayOf ?? null}, ${last?.status ?? null},
        ${last?.error ?? null}, ${last ? durationMs : null}, ${at}, ${doneAt})`,
    ...(attempts.length > 1 ? attempts : []).map(
      (
        attempt,
      ) => sql`insert into webhook_attempts (endpoint_id, seq, number, at, response_status, error, duration_ms,
          response_headers, response_body, host)
        values (${endpointIdOf(db)}, ${seq}, ${attempt.number}, ${attempt.at}, ${attempt.status}, ${attempt.error}, ${durationMs},
          '{"content-type":"text/plain"}', ${attempt.snippet}, 'erp.loja.test')`,
    ),
    delivery.replayOf === undefined
      ? sql`insert into webhook_events (id, store_id, event, body, changed, created_at)
          values (${eventId}, ${store}, ${delivery.event}, ${body}, ${changed}, ${at})`
      : sql`insert into webhook_replays (endpoint_id, filter, cursor, last, done, total, state, created_at, done_at)
          values (${endpointIdOf(db)}, ${JSON.stringify({ seq: delivery.replayOf })}, 0, 0, 1, 1,
            ${ReplayState.done}, ${at}, ${at})`,
  ];
  return statements.map((statement) => rawStatement(db, statement));
}

/** The attempts as rows of `webhook_attempts`, one retry delay apart. */
function toAttempts({ attempts }: DeliverySeed, start: number) {
  let at = start;
  return attempts.map(({ status, body }, index) => {
    if (index > 0) at += retryDelayAfter(index, () => 0);
    const error = status < 300 ? null : status < 500 ? 'http_4xx' : 'http_5xx';
    const snippet = { text: body, encoding: 'utf-8', truncated: false };
    return { number: index + 1, at, status, error, snippet: JSON.stringify(snippet) };
  });
}
