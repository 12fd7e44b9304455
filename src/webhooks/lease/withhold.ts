import { DeliveryState } from '../../data/schema/store/webhooks-tables.ts';
import type { DueDeliveryRow } from './load-endpoints.ts';

const holdSql = `
  update webhook_deliveries set state = ${DeliveryState.held}, due_at = 0
  where state = ${DeliveryState.open} and (endpoint_id, seq) in (
    select value ->> 0, value ->> 1 from json_each(?1))`;

/**
 * Holds the loaded deliveries that the endpoint may not receive any more, and returns the others. One round trip, none
 * if it may receive all of them. That is the usual case, because the end of a consent pauses the endpoint. The
 * exceptions are expired grants, and events that the endpoint was subscribed to before.
 */
export async function withholdUnreceivable(
  db: D1Database,
  endpoint: number,
  rows: readonly DueDeliveryRow[],
): Promise<readonly DueDeliveryRow[]> {
  const unreceivable = rows.filter((row) => row.may_receive === 0);
  if (unreceivable.length === 0) return rows;
  const keys = JSON.stringify(unreceivable.map(({ seq }) => [endpoint, seq]));
  await db.prepare(holdSql).bind(keys).run();
  return rows.filter((row) => row.may_receive === 1);
}
