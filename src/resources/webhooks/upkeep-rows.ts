import * as z from 'zod';
import { realPorts } from '../../events/clock.ts';
import { pingEndpoint } from '../../events/ping-endpoint.ts';
import { resumeEndpoint } from '../../events/resume.ts';
import { commitRotation, rotateSecret } from '../../events/rotation.ts';
import { operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { dateTime } from '../../wire/datetime.ts';
import { inOrder } from '../../events/in-order.ts';
import { Webhook } from './shapes.ts';
import { ResumeRequest, RotationRequest } from './upkeep-request.ts';

const hourMs = 3_600_000;

/** What came of a ping. */
const PingResult = z
  .object({
    delivered: z.boolean(),
    code: z.int().nullable(),
    error: z.string().nullable(),
    duration_ms: z.int(),
  })
  .meta({ id: 'PingResult' });

/** How far the rotation of a secret is, and until when. */
const Rotation = z
  .object({
    id: z.int(),
    state: z.enum(['single', 'overlap', 'committed']),
    until: dateTime.nullable(),
  })
  .meta({ id: 'Rotation' });

/** The answer to its start, the only place where the new secret is shown. */
const StartedRotation = Rotation.extend({ secret_key: z.string() }).meta({
  id: 'StartedRotation',
});

export const upkeepOperations = [
  operation({
    id: 'pingWebhook',
    route: 'POST /{alias}/webhooks/{id}/ping',
    access: 'webhooks.write',
    reply: data(200, PingResult),
    rejects: [422],
    note: 'Sends a signed delivery with event "ping", sequence number 0 and resource {id, name, url}, and tells what came of it: delivered when the answer was 2xx. One ping in 10 seconds per store, else 429; a URL that may not receive is 422. It is no part of the log.',
    run: async ({ db, ids, principal, settings }) => {
      const outside = { settings, ports: realPorts };
      const sent = await pingEndpoint(db, principal, ids.id, outside);
      if (!sent) return undefined;
      const { code, error, durationMs: duration_ms } = sent;
      return { delivered: error === null, code, error, duration_ms };
    },
  }),
  operation({
    id: 'rotateWebhookSecret',
    route: 'POST /{alias}/webhooks/{id}/rotate-secret',
    access: 'webhooks.write',
    body: RotationRequest,
    reply: data(200, StartedRotation),
    rejects: [404, 409, 422],
    note: 'The answer carries the new secret_key, this once. For overlap_hours (0 to 168, 24 when absent) the old secret signs the header and the new one its -Next twin; then, or at the commit, the new one signs the header and the old one its -Previous twin for as long again. immediate, or no overlap, ends the old one at once. While two secrets live another rotation is 409, unless immediate.',
    run: ({ db, ids, body, principal, settings: { sealingKey } }) => {
      const overlapMs = body.immediate ? 0 : body.overlap_hours * hourMs;
      return rotateSecret(db, principal, ids.id, { overlapMs, sealingKey });
    },
  }),
  operation({
    id: 'commitWebhookSecret',
    route: 'POST /{alias}/webhooks/{id}/rotate-secret/commit',
    access: 'webhooks.write',
    reply: data(200, Rotation),
    rejects: [404, 409],
    note: 'From here on the new secret signs the header. 409 when there is no overlap to end.',
    run: ({ db, ids, principal }) => commitRotation(db, principal, ids.id),
  }),
  operation({
    id: 'resumeWebhook',
    route: 'POST /{alias}/webhooks/{id}/resume',
    access: 'webhooks.write',
    body: ResumeRequest,
    reply: data(200, Webhook),
    rejects: [404, 422],
    note: 'Makes the webhook active and lets held deliveries go, 500 at once and 500 each minute: those of the last 72h, all, none, or since:2031-03-05 09:04:07. What stays held can still be replayed. A webhook that was disabled automatically must answer a ping with 2xx first, else 422. One whose app is not connected to the store any more stays as it is: 422.',
    run: async ({ db, ids, body, principal, settings }) => {
      const release = body.resume === '72h' ? { since: db.now - 72 * hourMs } : body.resume;
      const resumption = { release, action: 'resumed' } as const;
      const outside = { settings, ports: realPorts };
      const row = await resumeEndpoint(db, principal, ids.id, resumption, outside);
      return row && inOrder(row);
    },
  }),
];
