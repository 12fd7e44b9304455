import { sql } from 'drizzle-orm';
import type { KeyRing } from '../../base/crypto/keys.ts';
import { seal } from '../../base/crypto/seal.ts';
import { ValidationError, ConflictError } from '../../base/errors.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import type { EventName } from '../../data/grants/event-catalogue.ts';
import {
  EndpointStatus,
  webhookEndpoints,
  webhookSubscriptions,
} from '../../data/schema/store/webhooks-tables.ts';
import { maxConcurrentSends } from '../delivery/leased-endpoint.ts';
import { createSecret } from '../signature.ts';
import { endpointAuditStatement, type Actor } from './audit-endpoint.ts';
import { duplicateExtras } from './duplicates.ts';

/** Maximum number of webhooks of a store. */
export const maxEndpoints = 20;

interface EndpointValues {
  url: string;
  name: string;
  events: readonly EventName[];
  /** A webhook that starts paused holds its deliveries, and nothing is sent to its URL. */
  active: boolean;
  /** Sends one delivery at a time, in the order of their numbers. */
  ordered: boolean;
}

/** Thrown when a store has as many webhooks as it may have. */
export class TooManyEndpointsError extends ValidationError {
  constructor() {
    super({ url: [`A store has at most ${maxEndpoints} webhooks.`] });
  }
}

/**
 * Creates an endpoint with its subscriptions and a secret, and returns it with the secret, which is
 * never shown again. Throws a `TooManyEndpointsError` when the store has 20 already. One round
 * trip.
 */
export async function createEndpoint(
  db: StoreDb,
  actor: Actor,
  { events, active, ...values }: EndpointValues,
  sealingKeys: KeyRing,
) {
  const { store } = db;
  const secret_key = createSecret();
  const secret = await seal(sealingKeys, secret_key, `webhook-secret:${store.id}`);
  const count = sql`(select count(*) from ${webhookEndpoints}
    where store_id = ${store.id} and status <> ${EndpointStatus.deleted})`;
  try {
    const [, , , rows] = await db.batch([
      db.insertStatement(webhookEndpoints, {
        ...values,
        status: active ? EndpointStatus.active : EndpointStatus.paused,
        client_id: actor.clientId,
        concurrency: maxConcurrentSends,
        secret_current: secret,
      }),
      rawStatement(
        db,
        sql`insert into ${webhookSubscriptions} (store_id, event, endpoint_id)
          select ${store.id}, value, last_insert_rowid() from json_each(${JSON.stringify(events)})`,
      ),
      db.assert(sql`${count} <= ${maxEndpoints}`),
      // The subscriptions table has no rowid, so this is still the id of the endpoint.
      db.select(webhookEndpoints, {
        where: sql`${webhookEndpoints.id} = last_insert_rowid()`,
        extras: duplicateExtras,
      }),
      endpointAuditStatement(db, 'created', sql`last_insert_rowid()`, sql`true`),
    ]);
    return rows[0] && { ...rows[0], events, secret_key };
  } catch (error) {
    throw error instanceof ConflictError ? new TooManyEndpointsError() : error;
  }
}
