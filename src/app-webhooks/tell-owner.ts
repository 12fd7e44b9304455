import { sql, type SQL } from 'drizzle-orm';
import type { Database } from '../db/core/open.ts';
import type { LeasedWebhook } from '../db/directory/app-webhooks.ts';
import { apps } from '../db/schema/partners.ts';
import { insertMailToUser, prepareMail } from '../mail/outbox.ts';
import type { Settings } from '../settings.ts';

/** The statement that tells the partner that the webhook of an app was switched off, if `where` holds then. */
export async function tellOwner(
  directory: Database,
  settings: Settings,
  { client_id: clientId, app_name: app, url }: LeasedWebhook,
  where: SQL,
  now: number,
) {
  const host = URL.parse(url)?.host ?? '';
  const mail = await prepareMail(settings, {
    kind: 'app_webhook_switched_off',
    language: 'en',
    data: { app, host },
  });
  const owner = sql`(select owner_id from ${apps} where client_id = ${clientId})`;
  return insertMailToUser(directory, mail, owner, now, where);
}
