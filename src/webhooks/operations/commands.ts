import type * as z from 'zod';
import type { Settings } from '../../base/settings.ts';
import { eventNames, requiredScopes, withSortedEvents } from '../../data/grants/event-catalogue.ts';
import { webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';
import { assertMaySee } from '../../http/access/restricted-fields.ts';
import type { OperationInput } from '../../http/operation.ts';
import { checkUrl } from '../check-url.ts';
import { defaultDeliveryDeps } from '../delivery/deps.ts';
import { createEndpoint } from '../endpoints/create-endpoint.ts';
import { subscriptionExtras } from '../endpoints/endpoint-access.ts';
import { resumeEndpoint } from '../endpoints/resume-endpoint.ts';
import { updateEndpoint, pauseStatements } from '../endpoints/update-endpoint.ts';
import { updateEndpointUrl } from '../endpoints/update-url.ts';
import type { WebhookChanges, WebhookRequest } from './requests.ts';

type CreateInput = OperationInput<
  'POST /{alias}/webhooks',
  unknown,
  z.output<typeof WebhookRequest>
>;
type UpdateInput = OperationInput<'PUT /{alias}/webhooks/{id}', unknown, WebhookChanges>;

/**
 * Returns the errors of `url` as a destination. They are reported together with those of other
 * fields.
 */
export async function validateDestination(
  { url }: Readonly<Record<string, unknown>>,
  settings: Settings,
) {
  if (typeof url !== 'string') return {};
  const reason = await checkUrl(url, settings, defaultDeliveryDeps);
  return reason === undefined ? {} : { url: [reason] };
}

/** The scopes that an app or a key needs for the events to which it subscribes. */
export const scopesOfEvents = ({ events }: Readonly<Record<string, unknown>>) =>
  eventNames
    .filter((name) => Array.isArray(events) && events.includes(name))
    .flatMap(requiredScopes);

/**
 * Throws 403 for an API key that sends a webhook to another URL, or starts it, and lacks a scope of
 * one of its events. It would get data that it may not read. Apps reach only their own webhooks,
 * whose events need the grant at any time. One round trip, none for a key without limits.
 */
async function assertMayRedirect({ db, ids, body, principal }: UpdateInput) {
  if (principal.clientId !== null || !principal.isRestricted) return;
  if (body.url === undefined && !body.active) return;
  const endpoint = await db.find(webhookEndpoints, ids.id, subscriptionExtras);
  if (endpoint) assertMaySee(principal, scopesOfEvents(endpoint));
}

export async function createWebhook({ db, body, principal, settings }: CreateInput) {
  const row = await createEndpoint(db, principal, body, settings.sealingKeys);
  return row && withSortedEvents(row);
}

export async function updateWebhook(input: UpdateInput) {
  await assertMayRedirect(input);
  const row = await applyChanges(input);
  return row && withSortedEvents(row);
}

function applyChanges({ db, ids: { id }, body, principal, settings }: UpdateInput) {
  const { active, ...changes } = body;
  const context = { settings, deps: defaultDeliveryDeps };
  if (active) return resumeEndpoint(db, principal, id, { action: 'enabled', changes }, context);
  const { url, ...otherChanges } = changes;
  if (active === undefined && url !== undefined) {
    return updateEndpointUrl(db, principal, id, { ...otherChanges, url }, context);
  }
  const pause = active === false ? pauseStatements(db, principal, id) : [];
  return updateEndpoint(db, principal, id, changes, pause);
}
