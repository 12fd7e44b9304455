import { sql } from 'drizzle-orm';
import { EndpointStatus, webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';

/** A webhook that does not deliver. */
export interface FailingWebhook {
  id: number;
  /** The host of its URL, whose rest may be a secret. */
  host: string;
  isSwitchedOff: boolean;
}

export interface FailingWebhookRow {
  id: number;
  url: string;
  status: number;
}

export const toFailingWebhook = ({ id, url, status }: FailingWebhookRow): FailingWebhook => ({
  id,
  host: new URL(url).host,
  isSwitchedOff: status === EndpointStatus.autoDisabled,
});

const shownPerStore = 3;

/**
 * The webhooks of stores (ids as JSON) that fail or were switched off: a few of each store, with
 * the `total` of its.
 */
export const failingWebhooksQuery = (storeIds: string) => sql`
  select * from (
    select store_id, id, url, status, count(*) over own as total,
      row_number() over (own order by first_failure_at, id) as place
    from ${webhookEndpoints}
    where store_id in (select value from json_each(${storeIds}))
      and (status = ${EndpointStatus.autoDisabled}
        or (status = ${EndpointStatus.active} and first_failure_at is not null))
    window own as (partition by store_id))
  where place <= ${shownPerStore}`;
