import { sql, type SQL } from 'drizzle-orm';
import {
  DeliveryState,
  EndpointStatus,
  webhookEndpoints,
} from '../../data/schema/store/webhooks-tables.ts';

/**
 * The condition that a delivery (alias `d`) was never attempted and will be: it is open, or held until its endpoint is
 * resumed. To send it again would send it twice.
 */
export const isFirstAttemptPending = (endpoint: number | SQL) =>
  sql`(d.attempts = 0 and (d.state = ${DeliveryState.open} or (d.state = ${DeliveryState.held}
    and exists (select 1 from ${webhookEndpoints} waiting where waiting.id = ${endpoint}
      and (waiting.status <> ${EndpointStatus.active} or waiting.resume_from_seq <= d.seq)))))`;
