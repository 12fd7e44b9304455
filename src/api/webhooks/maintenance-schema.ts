import * as z from 'zod';
import { dateTime } from '../../base/codecs/fields/date-time.ts';
import { idOutput } from '../../base/codecs/fields/ids.ts';
import { explain } from '../../base/codecs/meaning.ts';

export const PingResultSchema = z
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
export const RotationSchema = z
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
export const StartedRotationSchema = RotationSchema.extend({
  secret_key: z.string(),
}).meta({ id: 'StartedRotation' });

/* @__PURE__ */ explain(
  StartedRotationSchema,
  'The start of a rotation, with the new secret.',
  rotationMeanings,
  { secret_key: 'The new key. Store it now: no other response contains it.' },
);
