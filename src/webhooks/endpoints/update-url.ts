import { and, eq } from 'drizzle-orm';
import type { StoreDb } from '../../data/core/store-db.ts';
import { EndpointStatus, webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';
import type { Actor } from './audit-endpoint.ts';
import { isVisibleTo } from './endpoint-access.ts';
import type { PingContext } from './ping.ts';
import { resumeEndpoint } from './resume-endpoint.ts';
import { updateEndpoint, type EndpointChanges, type ChangedEndpoint } from './update-endpoint.ts';

/**
 * Updates an endpoint with its URL. Returns `undefined` when the caller may not see it. A new URL
 * resumes an endpoint that was disabled automatically: then the errors of {@link resumeEndpoint}
 * apply, and they change nothing. Two round trips, three for such an endpoint.
 */
export async function updateEndpointUrl(
  db: StoreDb,
  actor: Actor,
  id: number,
  changes: EndpointChanges & { url: string },
  context: PingContext,
): Promise<ChangedEndpoint | undefined> {
  const [[endpoint]] = await db.batch([
    db.select(webhookEndpoints, { where: and(eq(webhookEndpoints.id, id), isVisibleTo(actor)) }),
  ]);
  const isResumed =
    endpoint?.status === EndpointStatus.autoDisabled && endpoint.url !== changes.url;
  return isResumed
    ? resumeEndpoint(db, actor, id, { action: 'enabled', changes }, context)
    : updateEndpoint(db, actor, id, changes);
}
