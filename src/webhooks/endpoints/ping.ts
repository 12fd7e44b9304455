import { sql, type SQL, and, eq } from 'drizzle-orm';
import { formatLocalTime } from '../../base/codecs/fields/local-time.ts';
import { type RatePolicy, tooManyRequests, ValidationError } from '../../base/errors.ts';
import type { Settings } from '../../base/settings.ts';
import { rawStatement } from '../../data/core/raw.ts';
import { markPreparatory } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { webhookPings } from '../../data/schema/store/webhook-operations-tables.ts';
import { webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';
import { checkUrl } from '../check-url.ts';
import { type WebhookResponse, sendWebhook } from '../delivery/attempt.ts';
import type { DeliveryDeps } from '../delivery/deps.ts';
import { signRequest } from '../signature.ts';
import { loadSigningKeys } from '../signing-keys.ts';
import type { Actor } from './audit-endpoint.ts';
import { endpointIsVisible, subscriptionExtras, isVisibleTo } from './endpoint-access.ts';
import { isWaiting, proveStatements } from './prove-endpoint.ts';
import type { EndpointWithEvents } from './update-endpoint.ts';

/** Thrown when an endpoint must respond to a ping with 2xx and did not. */
export class PingFailedError extends ValidationError {
  readonly response: WebhookResponse;

  constructor(response: WebhookResponse) {
    super({ url: ['Must answer a ping with a 2xx status.'] });
    this.response = response;
  }
}

/** The minimum pause between two pings of a store. */
export const pingPolicy: RatePolicy = { name: 'ping', quota: 1, seconds: 10 };

export interface PingContext {
  settings: Settings;
  deps: DeliveryDeps;
}

/**
 * A statement that reserves a ping of the store, if `when` holds. Returns a row unless the last
 * ping is too recent.
 */
export function reservePingStatement(db: StoreDb, when: SQL) {
  return markPreparatory(
    rawStatement<{ store_id: number }>(
      db,
      sql`insert into ${webhookPings} (store_id, at) select ${db.store.id}, ${db.now} where ${when}
        on conflict do update set at = excluded.at
          where ${webhookPings.at} <= ${db.now - pingPolicy.seconds * 1000}
        returning store_id`,
    ),
  );
}

/**
 * Sends a `ping` to `url`, signed with the secrets of the endpoint. It has the headers of a
 * delivery with sequence number 0 and does not appear in the log. Never rejects because of the
 * receiver.
 */
export async function sendPing(
  db: StoreDb,
  endpoint: EndpointWithEvents,
  url: string,
  { settings, deps }: PingContext,
): Promise<WebhookResponse> {
  const { store } = db;
  const at = deps.now();
  const secrets = await loadSigningKeys(
    { ...endpoint, store_id: store.id },
    at,
    settings.sealingKeys,
  );
  const body = JSON.stringify({
    event: 'ping',
    time: formatLocalTime(at, store.zone),
    merchant: { id: store.id, alias: store.alias },
    resource: { id: endpoint.id, name: endpoint.name, url },
  });
  const request = await signRequest({
    serviceName: settings.serviceName,
    secrets,
    endpoint: endpoint.id,
    epoch: endpoint.epoch,
    seq: 0,
    eventId: `ping_${crypto.randomUUID().replaceAll('-', '')}`,
    event: 'ping',
    changed: null,
    apiVersion: endpoint.api_version,
    attempt: 1,
    triggeredAt: at,
    at,
    body,
  });
  return sendWebhook({ url, timeoutMs: endpoint.timeout_ms, ...request }, deps);
}

/**
 * Sends a ping to an endpoint. Returns the response, or `undefined` when the caller may not see the
 * endpoint. Throws a 429 within ten seconds after the last ping of the store, and a
 * `ValidationError` when the URL policy rejects the URL. A 2xx proves the endpoint and ends its
 * failing, and what waits is sent at once. One round trip, two if that changes something.
 */
export async function pingEndpoint(
  db: StoreDb,
  actor: Actor,
  id: number,
  context: PingContext,
): Promise<WebhookResponse | undefined> {
  const [[endpoint], pings] = await db.batch([
    db.select(webhookEndpoints, {
      where: and(eq(webhookEndpoints.id, id), isVisibleTo(actor)),
      extras: subscriptionExtras,
    }),
    reservePingStatement(db, endpointIsVisible(db, id, actor)),
  ]);
  if (!endpoint) return undefined;
  if (pings.length === 0) throw tooManyRequests(pingPolicy);
  const message = await checkUrl(endpoint.url, context.settings, context.deps);
  if (message !== undefined) throw new ValidationError({ url: [message] });
  const response = await sendPing(db, endpoint, endpoint.url, context);
  if (response.error === null && (endpoint.proven_at === null || isWaiting(endpoint))) {
    await db.batch(proveStatements(db, id, endpoint.url));
    db.wakeEndpoints([id]);
  }
  return response;
}
