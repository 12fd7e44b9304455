import { sql, type SQL } from 'drizzle-orm';
import { webhookDeliveries } from '../db/schema/webhooks.ts';

/** Deliveries get their numbers in the order of their commits, their moments before; that is how far apart. */
const slackMs = 60_000;

/**
 * A sequence number of an endpoint (a scalar of SQL) before which everything was recorded before `from` (epoch
 * milliseconds). Halves the log, so it reads some twenty rows however long that is.
 */
export const seqBefore = (endpoint: SQL, from: number) => searched(endpoint, from - slackMs);

/** A sequence number from which on everything was recorded at `until` or later. */
export const seqAfter = (endpoint: SQL, until: number) => searched(endpoint, until + slackMs);

/** The first number of a row that is not earlier than `moment`; gaps that the purge left do no harm. */
const searched = (endpoint: SQL, moment: number): SQL => sql`(
  with recursive half (low, high) as (
    select coalesce((select min(seq) from ${webhookDeliveries} where endpoint_id = ${endpoint}), 0),
      coalesce((select max(seq) + 1 from ${webhookDeliveries} where endpoint_id = ${endpoint}), 0)
    union all
    select case when probe.created_at < ${moment} then probe.seq + 1 else low end,
      case when probe.created_at < ${moment} then high else (low + high) / 2 end
    from half join ${webhookDeliveries} probe on probe.endpoint_id = ${endpoint} and probe.seq = (
      select min(seq) from ${webhookDeliveries}
      where endpoint_id = ${endpoint} and seq >= (low + high) / 2)
    where low < high)
  select low from half where low >= high)`;
