import { sql, type SQL } from 'drizzle-orm';
import { minuteMs } from '../../base/durations.ts';
import { webhookDeliveries } from '../../data/schema/store/webhooks-tables.ts';

/**
 * Sequence numbers follow the order of commits, timestamps are taken before. This is their maximum
 * difference.
 */
const clockSlackMs = minuteMs;

/**
 * A scalar: a sequence number of an endpoint before which all deliveries are older than `from`
 * (epoch milliseconds). A binary search, so it reads some twenty rows of a log of any length.
 */
export const firstSeqAt = (endpoint: SQL, from: number) => searchSeq(endpoint, from - clockSlackMs);

/**
 * A scalar: as an array, where the deliveries of each of these moments begin. Two of them count
 * those between.
 */
export const firstSeqsAt = (endpoint: SQL, moments: readonly number[]) => sql`(
  select json_group_array(${searchSeq(endpoint, sql`moment.value`)})
  from json_each(${JSON.stringify(moments)}) moment)`;

/** A scalar: a sequence number from which on no delivery is older than `until`. */
export const endSeqAt = (endpoint: SQL, until: number) => searchSeq(endpoint, until + clockSlackMs);

/** The first sequence number at or after `moment`. Gaps that the purge left do no harm. */
const searchSeq = (endpoint: SQL, moment: number | SQL): SQL => sql`(
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
