import { and, eq } from 'drizzle-orm';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import { InvalidBody, tooManyRequests } from '../problem.ts';
import type { Actor } from './audit.ts';
import { checkDestination } from './destination-check.ts';
import { isVisible, subscribed, visible } from './endpoint-access.ts';
import { pingPauseSeconds, sendPing, takePing, type PingOutside } from './ping.ts';
import type { Sent } from './send.ts';

/**
 * Sends a ping to an endpoint and tells what came of it; `undefined` when the caller sees none with this id.
 * Throws a 429 within ten seconds of the store's last ping, and `InvalidBody` for a URL that may not receive. One
 * round trip.
 */
export async function pingEndpoint(
  db: StoreDb,
  actor: Actor,
  id: number,
  outside: PingOutside,
): Promise<Sent | undefined> {
  const [[endpoint], turns] = await db.batch([
    db.select(webhookEndpoints, {
      where: and(eq(webhookEndpoints.id, id), visible(actor)),
      extras: subscribed,
    }),
    takePing(db, isVisible(db, id, actor)),
  ]);
  if (!endpoint) return undefined;
  if (turns.length === 0) throw tooManyRequests(pingPauseSeconds);
  const reason = await checkDestination(endpoint.url, outside.settings, outside.ports);
  if (reason !== undefined) throw new InvalidBody({ url: [reason] });
  return sendPing(db, endpoint, endpoint.url, outside);
}
