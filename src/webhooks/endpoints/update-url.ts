import { and, eq } from 'drizzle-orm';
import type { StoreDb } from '../../db/core/store-db.ts';
import { EndpointStatus, webhookEndpoints } from '../../db/schema/store/webhooks.ts';
import { isVisibleTo } from './access.ts';
import type { Actor } from './audit.ts';
import type { PingContext } from './ping.ts';
import { resumeEndpoint } from './resume.ts';
import { updateEndpoint, type EndpointChanges, type EndpointWithEvents } from './update.ts';

/**
 * Updates an endpoint with its URL. Returns `undefined` when the caller may not see it. A new URL resumes an endpoint
 * that was disabled automatically: then the errors of {@link resumeEndpoint} apply, and they change nothing. Two round
 * trips, three for such an endpoint.
 */
export async function updateEndpointUrl(
  db: StoreDb,
  actor: Actor,
  id: number,
  changes: EndpointChanges & { url: string },
  context: PingContext,
): Promise<EndpointWithEvents | undefined> {
  const [[endpoint]] = await db.batch([
    db.select(webhookEndpoints, { where: and(eq(webhookEndpoints.id, id), isVisibleTo(actor)) }),
  ]);
  const isResumed =
    endpoint?.status === EndpointStatus.autoDisabled && endpoint.url !== changes.url;
  return isResumed
    ? resumeEndpoint(db, actor, id, { action: 'enabled', changes }, context)
    : updateEndpoint(db, actor, id, changes);
}
