import { sql, type SQL } from 'drizzle-orm';
import {
  endpointIsCovered,
  endpointMayHear,
  findMissingScope,
  grantedScopes,
} from '../../db/grants/may-hear.ts';
import { computedColumn } from '../../db/query/relations.ts';
import type { webhookEndpoints } from '../../db/schema/store/webhooks.ts';
import { insufficientScope, ValidationError } from '../../errors.ts';
import { requiredScopes, type EventName } from '../../events/catalogue.ts';

/** Thrown instead of activating an endpoint whose app is no longer connected to the store. */
export class AppDisconnectedError extends ValidationError {
  constructor() {
    super({ active: ['The app that made this webhook is not connected to the store any more.'] });
  }
}

/** The scopes of each connected grant of the app of an endpoint, as an extra column. */
export const consentExtras = (now: number) => ({
  grants: computedColumn(grantedScopes(now), (text: string) => JSON.parse(text) as number[]),
});

/** An endpoint with {@link consentExtras}. */
type EndpointWithConsent = Pick<typeof webhookEndpoints.$inferSelect, 'client_id'> & {
  grants: readonly number[];
};

/**
 * Throws unless the endpoint may hear all these events: an `AppDisconnectedError` if its app is not connected to the store,
 * else a 403 that names a scope that the merchant does not allow the app. An endpoint of an API key hears everything.
 */
export function assertMayHear(
  { client_id, grants }: EndpointWithConsent,
  events: readonly EventName[],
): void {
  if (client_id === null) return;
  if (grants.length === 0) throw new AppDisconnectedError();
  const missing = findMissingScope(events, grants);
  if (missing !== undefined) throw insufficientScope(missing);
}

/** The 403 for an endpoint that may not hear an event. `grants` are the scopes of the connected grants of its app. */
export const unheardEvent = (event: EventName, grants: readonly number[]) =>
  insufficientScope(findMissingScope([event], grants) ?? requiredScopes(event).join(' '));

/** The condition over `webhook_endpoints` that an endpoint may hear these events, by default those that it is subscribed to. */
export const mayHearAll = (events: readonly EventName[] | undefined, now: number): SQL =>
  events === undefined
    ? endpointIsCovered(now)
    : sql.join([sql`true`, ...events.map((event) => endpointMayHear(event, now))], sql` and `);
