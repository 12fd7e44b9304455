import { sql } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import type { Shard } from '../open.ts';
import { plainStatement } from '../raw.ts';
import { EndpointStatus, webhookEndpoints } from '../schema/webhooks.ts';
import { revoking, type Reason } from './revoking.ts';

/**
 * Ends an app in the stores that a condition on `store_id` names: its grants are revoked, and its webhooks
 * are paused, which the sweep follows up. The statements of one batch.
 */
export function disconnecting(
  shard: Shard,
  clientId: string,
  where: SQL,
  reason: Reason,
  now: number,
) {
  const ofApp = sql`client_id = ${clientId} and ${where}`;
  return [
    ...revoking(shard, ofApp, reason, now),
    plainStatement(
      shard,
      sql`update ${webhookEndpoints} set status = ${EndpointStatus.paused}, updated_at = ${now}
        where status = ${EndpointStatus.active} and ${ofApp}`,
    ),
  ] as const;
}
