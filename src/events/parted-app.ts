import { sql } from 'drizzle-orm';
import { isConnected } from '../db/grants/is-connected.ts';
import { computed } from '../db/relations.ts';
import { oauthGrants } from '../db/schema/grants.ts';
import { webhookEndpoints } from '../db/schema/webhooks.ts';
import { InvalidBody } from '../problem.ts';

/**
 * The endpoint was made by an app that may not use the store now: its grants ended, and with them the merchant's consent
 * to tell it anything. A header pair's endpoints have none. `now` is epoch milliseconds.
 */
export const isParted = (now: number) =>
  sql`(${webhookEndpoints.client_id} is not null and not exists (select 1 from ${oauthGrants}
    where ${oauthGrants.store_id} = ${webhookEndpoints.store_id}
      and ${oauthGrants.client_id} = ${webhookEndpoints.client_id} and ${isConnected(now)}))`;

/** {@link isParted}, read with an endpoint. */
export const parted = (now: number) => ({
  isParted: computed(isParted(now), (value: number) => value === 1),
});

/** An endpoint stays inactive because its app is not connected any more. */
export class PartedApp extends InvalidBody {
  constructor() {
    super({ active: ['The app that made this webhook is not connected to the store any more.'] });
  }
}
