import { eq, sql, type SQL } from 'drizzle-orm';
import type { Database } from '../core/open-database.ts';
import { appDeliveries, appWebhooks } from '../schema/directory/partners-tables.ts';

/** The webhook of an app. */
export type AppWebhook = typeof appWebhooks.$inferSelect;

/** Where the secrets of the webhook of an app open. */
export const appSecretContext = (clientId: string) => `app-webhook-secret:${clientId}`;

/** The webhook of an app. One round trip. */
export async function findAppWebhook(
  directory: Database,
  clientId: string,
): Promise<AppWebhook | undefined> {
  const [found] = await directory
    .select()
    .from(appWebhooks)
    .where(eq(appWebhooks.client_id, clientId));
  return found;
}

/** When the next delivery of a webhook is due, but not before a time; null if none waits. */
export const nextTime = (clientId: string, earliest: number): SQL =>
  sql`(select max(${earliest}, min(due_at)) from ${appDeliveries}
    where client_id = ${clientId} and due_at is not null)`;
