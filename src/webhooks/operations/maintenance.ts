import * as z from 'zod';
import { addIssue } from '../../base/codecs/field-messages.ts';
import { dateTime, dateTimeInput } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { bool, int } from '../../base/codecs/fields/scalars.ts';
import { cleanedCode } from '../../base/codecs/fields/text.ts';
import { explainEnum, explain, explainBody } from '../../base/codecs/meaning.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import { hourMs } from '../../base/durations.ts';
import { withSortedEvents } from '../../data/grants/event-catalogue.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { defaultDeliveryDeps } from '../delivery/deps.ts';
import { pingEndpoint } from '../endpoints/ping.ts';
import { resumeEndpoint, type ReleaseRange } from '../endpoints/resume-endpoint.ts';
import { commitRotation, rotateSecret } from '../endpoints/rotate-secret.ts';
import { loadFailures } from '../log/failures.ts';
import { serializeFailures } from './explain-failures.ts';
import { WebhookFailuresSchema } from './failures-schema.ts';
import { WebhookSchema } from './schema.ts';

/** The body of POST rotate-secret. `immediate` is meant for a secret that leaked. */
const RotationRequest = requestBodies({
  optional: {
    overlap_hours: [
      int(0, 168).describe(
        'Hours in which both secrets sign, for changing receivers without loss; 0 ends the old one at once.',
      ),
      24,
    ],
    immediate: [
      bool.describe('Whether the old secret ends at once: for a secret that leaked.'),
      false,
    ],
  },
}).post;

/* @__PURE__ */ explainBody(RotationRequest, {
  RotateWebhookSecretInput: 'How long the old secret goes on signing beside the new one.',
});

const releaseMessage =
  'Must be 72h, all, none, or since: with a date and time, such as since:2031-03-05 09:04:07.';

const release = cleanedCode(
  { examples: ['72h', 'all', 'none', 'since:2031-03-05 09:04:07'] },
  (text, context): ReleaseRange | '72h' => {
    if (text === 'all' || text === 'none' || text === '72h') return text;
    const since = text.startsWith('since:') ? dateTimeInput.safeParse(text.slice(6)) : undefined;
    return since?.success ? { since: since.data } : addIssue(context, releaseMessage);
  },
  releaseMessage,
);

/** The body of POST resume: which held deliveries are released. */
const ResumeRequest = requestBodies({
  optional: {
    resume: [
      release.describe(
        'Held deliveries to release: 72h (those of the last 72 hours), all, none, or since: with a date and time.',
      ),
      '72h',
    ],
  },
}).post;

/* @__PURE__ */ explainBody(ResumeRequest, {
  ResumeWebhookInput: 'What happens to the deliveries that were held meanwhile.',
});

const PingResultSchema = z
  .object({
    delivered: z.boolean(),
    code: z.int().nullable(),
    error: z.string().nullable(),
    duration_ms: z.int(),
  })
  .meta({ id: 'PingResult' });

/* @__PURE__ */ explain(PingResultSchema, 'How your address answered a ping.', {
  delivered: 'Whether it answered with 2xx in time.',
  code: 'Status of the response; null without one.',
  error: 'Why the ping failed, as one word; null for a success.',
  duration_ms: 'Milliseconds until the response, or until giving up.',
});

/** The state of the rotation of a secret, and its end. */
const RotationSchema = z
  .object({
    id: idOutput,
    state: z.enum(['single', 'overlap', 'committed']),
    until: dateTime.nullable(),
  })
  .meta({ id: 'Rotation' });

const rotationMeanings = {
  state: 'single (one secret), overlap (both sign) or committed (the new one signs first).',
  until: 'When the old secret stops signing; null when there is only one.',
};

/* @__PURE__ */ explain(
  RotationSchema,
  'Where a change of the signing secret stands.',
  rotationMeanings,
);

/** The response of its start, the only one with the new secret. */
const StartedRotationSchema = RotationSchema.extend({
  secret_key: z.string(),
}).meta({ id: 'StartedRotation' });

/* @__PURE__ */ explain(
  StartedRotationSchema,
  'The start of a rotation, with the new secret.',
  rotationMeanings,
  { secret_key: 'The new key. Store it now: no other response contains it.' },
);

export const maintenanceOperations = [
  operation({
    id: 'explainWebhookFailures',
    route: 'GET /{alias}/webhooks/{id}/failures',
    access: 'webhooks.read',
    reply: data(200, WebhookFailuresSchema),
    errors: [],
    run: async ({ db, ids, principal }) => {
      const found = await loadFailures(db, principal, ids.id);
      return found && serializeFailures(found);
    },
  }),
  operation({
    id: 'pingWebhook',
    route: 'POST /{alias}/webhooks/{id}/ping',
    access: 'webhooks.write',
    reply: data(200, PingResultSchema),
    isSeveralSteps: true,
    errors: [422],
    run: async ({ db, ids, principal, settings }) => {
      const context = { settings, deps: defaultDeliveryDeps };
      const result = await pingEndpoint(db, principal, ids.id, context);
      if (!result) return undefined;
      const { status: code, error, durationMs: duration_ms } = result;
      return { delivered: error === null, code, error, duration_ms };
    },
  }),
  operation({
    id: 'rotateWebhookSecret',
    route: 'POST /{alias}/webhooks/{id}/rotate-secret',
    access: 'webhooks.write',
    body: RotationRequest,
    reply: data(200, StartedRotationSchema),
    errors: [404, 409, 422],
    run: ({ db, ids, body, principal, settings: { sealingKeys } }) => {
      const overlapMs = body.immediate ? 0 : body.overlap_hours * hourMs;
      return rotateSecret(db, principal, ids.id, { overlapMs, sealingKeys });
    },
  }),
  operation({
    id: 'commitWebhookSecret',
    route: 'POST /{alias}/webhooks/{id}/rotate-secret/commit',
    access: 'webhooks.write',
    reply: data(200, RotationSchema),
    errors: [404, 409],
    run: ({ db, ids, principal }) => commitRotation(db, principal, ids.id),
  }),
  operation({
    id: 'resumeWebhook',
    route: 'POST /{alias}/webhooks/{id}/resume',
    access: 'webhooks.write',
    body: ResumeRequest,
    reply: data(200, WebhookSchema),
    errors: [404, 422],
    run: async ({ db, ids, body, principal, settings }) => {
      const release = body.resume === '72h' ? { since: db.now - 72 * hourMs } : body.resume;
      const resumption = { release, action: 'resumed' } as const;
      const context = { settings, deps: defaultDeliveryDeps };
      const row = await resumeEndpoint(db, principal, ids.id, resumption, context);
      return row && withSortedEvents(row);
    },
  }),
];

/* @__PURE__ */ explainOperations({
  explainWebhookFailures:
    'Looks at the newest 100 attempts, of which a first attempt that arrived is none. response_text is what the receiver wrote, at most 300 characters; showWebhookDelivery with seq has more. Changes nothing.',
  pingWebhook:
    'Sends a signed delivery with event "ping", sequence number 0 and resource {id, name, url}, and returns its result; delivered means a 2xx response. A store can send one ping in 10 seconds, else 429. 422 when the url is not allowed. Pings do not appear in the log. A delivered ping proves the url, like an accepted event. An active webhook that was failing is well after it, and what waits for it is sent at once.',
  rotateWebhookSecret:
    'Only this response contains the new secret_key. For overlap_hours (0 to 168, default 24) the old secret signs X-Service-Hmac-SHA256 and the new one X-Service-Hmac-SHA256-Next. After that, or after the commit, the new secret signs the header and the old one its -Previous variant for the same time again. immediate, or an overlap of 0, ends the old secret at once. While two secrets are valid, another rotation returns 409, unless it is immediate.',
  commitWebhookSecret:
    'From now on the new secret signs X-Service-Hmac-SHA256. 409 when there is no overlap to end.',
  resumeWebhook:
    'Activates the webhook, makes the next attempt of one that is active and failing now, and releases held deliveries, 500 at once and 500 each minute: those of the last 72h, all, none, or since:2031-03-05 09:04:07. Deliveries that stay held can be replayed. A webhook that was disabled automatically must first answer a ping with 2xx, else 422. While nothing was accepted at its url, trying again counts as a ping: 429 within 10 seconds of another. A webhook stays unchanged if its app is no longer connected to the store (422) or lacks a scope of one of its events (403). Deliveries of events that the app may not receive stay held.',
});

/* @__PURE__ */ explainEnum('RotationState', 'How far the rotation of a signing secret has come.', {
  single: 'No rotation: one secret signs.',
  overlap: 'The old secret signs the main header, the new one -Next. Accept both.',
  committed: 'The new secret signs the main header, the old one -Previous.',
});
