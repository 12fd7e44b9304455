import { DeliveryState } from '../../db/schema/store/webhooks.ts';
import type { DueDeliveryRow } from './load.ts';

const holdSql = `
  update webhook_deliveries set state = ${DeliveryState.held}, due_at = 0
  where state = ${DeliveryState.open} and (endpoint_id, seq) in (
    select value ->> 0, value ->> 1 from json_each(?1))`;

/**
 * Holds the loaded deliveries that the endpoint may not hear any more, and returns the others. One round trip, none if it
 * may hear all of them, which is all but always so: a consent that ends pauses the endpoint. Left are grants that expire
 * and events that the endpoint was subscribed to before.
 */
export async function withholdUnheard(
  db: D1Database,
  endpoint: number,
  rows: readonly DueDeliveryRow[],
): Promise<readonly DueDeliveryRow[]> {
  const unheard = rows.filter((row) => row.may_hear === 0);
  if (unheard.length === 0) return rows;
  const keys = JSON.stringify(unheard.map(({ seq }) => [endpoint, seq]));
  await db.prepare(holdSql).bind(keys).run();
  return rows.filter((row) => row.may_hear === 1);
}
