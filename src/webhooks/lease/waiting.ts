import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';

/**
 * A CTE `waiting (id, number)` with up to `limit` endpoints that have open deliveries, by id from the one after `after`. It
 * jumps from endpoint to endpoint in the index of open deliveries, so it reads one row per endpoint, however many deliveries
 * wait. The last row may be null. An index of the endpoints by their next attempt would cost one row more written per event.
 */
export const waitingCte = (after: string, limit: number) => `
  with recursive waiting (id, number) as (
    select (select min(endpoint_id) from webhook_deliveries
      where state = ${DeliveryState.open} and endpoint_id > ${after}), 1
    union all
    select (select min(endpoint_id) from webhook_deliveries
      where state = ${DeliveryState.open} and endpoint_id > waiting.id), number + 1
    from waiting where waiting.id is not null and number < ${limit})`;
