import { sql, type SQL } from 'drizzle-orm';
import { insufficientScope, ValidationError } from '../../base/errors.ts';
import { requiredScopes, type EventName } from '../../data/grants/event-catalogue.ts';
import {
  endpointIsCovered,
  endpointMayReceive,
  findMissingScopes,
  grantedScopes,
} from '../../data/grants/grant-conditions.ts';
import { computedColumn } from '../../data/queries/relations.ts';
import type { webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';

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
 * Throws unless the endpoint may receive all these events. The error is an `AppDisconnectedError`
 * if its app is not connected to the store. Else it is a 403 that names the scopes that the
 * merchant does not allow the app. An endpoint of an API key receives everything.
 */
export function assertMayReceive(
  { client_id, grants }: EndpointWithConsent,
  events: readonly EventName[],
): void {
  if (client_id === null) return;
  if (grants.length === 0) throw new AppDisconnectedError();
  const missing = findMissingScopes(events, grants);
  if (missing.length > 0) throw insufficientScope(missing);
}

/**
 * The 403 for an endpoint that may not receive an event. `grants` are the scopes of the connected
 * grants of its app.
 */
export function unreceivableEvent(event: EventName, grants: readonly number[]) {
  const missing = findMissingScopes([event], grants);
  return insufficientScope(missing.length > 0 ? missing : requiredScopes(event));
}

/**
 * The condition over `webhook_endpoints` that an endpoint may receive these events, by default
 * those that it is subscribed to.
 */
export const mayReceiveAll = (events: readonly EventName[] | undefined, now: number): SQL =>
  events === undefined
    ? endpointIsCovered(now)
    : sql.join([sql`true`, ...events.map((event) => endpointMayReceive(event, now))], sql` and `);
