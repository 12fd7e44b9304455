import { and, eq } from 'drizzle-orm';
import { EndpointStatus, webhookEndpoints } from '../db/schema/webhooks.ts';
import type { StoreDb } from '../db/store.ts';
import type { Actor } from './audit.ts';
import { visible } from './endpoint-access.ts';
import { changeEndpoint, type EndpointChanges, type EndpointRow } from './endpoint-changes.ts';
import type { PingOutside } from './ping.ts';
import { resumeEndpoint } from './resume.ts';

/**
 * Changes an endpoint, its URL among the changes; `undefined` when the caller sees none with this id. A new URL makes
 * one active again that was disabled automatically (webhooks 3.11), under the terms of {@link resumeEndpoint}: what it
 * throws changes nothing. Two round trips, three for such an endpoint.
 */
export async function moveEndpoint(
  db: StoreDb,
  actor: Actor,
  id: number,
  changes: EndpointChanges & { url: string },
  outside: PingOutside,
): Promise<EndpointRow | undefined> {
  const [[endpoint]] = await db.batch([
    db.select(webhookEndpoints, { where: and(eq(webhookEndpoints.id, id), visible(actor)) }),
  ]);
  const isRescued =
    endpoint?.status === EndpointStatus.autoDisabled && endpoint.url !== changes.url;
  return isRescued
    ? resumeEndpoint(db, actor, id, { action: 'enabled', changes }, outside)
    : changeEndpoint(db, actor, id, changes);
}
