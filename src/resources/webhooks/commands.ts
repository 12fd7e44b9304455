import type * as z from 'zod';
import { seal } from '../../crypto/seal.ts';
import { insufficientScope } from '../../errors.ts';
import { requiredScopes, withSortedEvents, type EventName } from '../../events/catalogue.ts';
import type { OperationInput } from '../../http/operation.ts';
import type { Settings } from '../../settings.ts';
import { defaultDeliveryDeps } from '../../webhooks/delivery/deps.ts';
import { createEndpoint } from '../../webhooks/endpoints/create.ts';
import { resumeEndpoint } from '../../webhooks/endpoints/resume.ts';
import { updateEndpointUrl } from '../../webhooks/endpoints/update-url.ts';
import { updateEndpoint, pauseStatements } from '../../webhooks/endpoints/update.ts';
import { createSecret } from '../../webhooks/signing/signature.ts';
import { checkUrl } from '../../webhooks/url-policy/check.ts';
import type { WebhookChanges, WebhookRequest } from './requests.ts';

type CreateInput = OperationInput<
  'POST /{alias}/webhooks',
  unknown,
  z.output<typeof WebhookRequest>
>;
type UpdateInput = OperationInput<'PUT /{alias}/webhooks/{id}', unknown, WebhookChanges>;

/** Returns the errors of `url` as a destination. They are reported together with those of other fields. */
export async function validateDestination(
  { url }: Readonly<Record<string, unknown>>,
  settings: Settings,
) {
  if (typeof url !== 'string') return {};
  const reason = await checkUrl(url, settings, defaultDeliveryDeps);
  return reason === undefined ? {} : { url: [reason] };
}

/** Throws 403 for an app whose token lacks a scope of an event to which it subscribes. */
function assertMaySubscribe(
  principal: UpdateInput['principal'],
  events: readonly EventName[] = [],
) {
  for (const scope of events.flatMap(requiredScopes)) {
    if (!principal.hasScope(scope)) throw insufficientScope(scope);
  }
}

export async function createWebhook({ db, body, principal, settings }: CreateInput) {
  assertMaySubscribe(principal, body.events);
  const secret_key = createSecret();
  const secret = await seal(settings.sealingKeys, secret_key, `webhook-secret:${db.store.id}`);
  const row = await createEndpoint(db, principal, { ...body, secret });
  return row && withSortedEvents({ ...row, events: body.events, secret_key });
}

export async function updateWebhook(input: UpdateInput) {
  assertMaySubscribe(input.principal, input.body.events);
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
