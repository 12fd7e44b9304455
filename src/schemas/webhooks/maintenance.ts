import * as z from 'zod';
import { dateTime } from '../../codecs/time/date-time.ts';

export const PingResultSchema = z
  .object({
    delivered: z.boolean(),
    code: z.int().nullable(),
    error: z.string().nullable(),
    duration_ms: z.int(),
  })
  .meta({ id: 'PingResult' });

/** The state of the rotation of a secret, and its end. */
export const RotationSchema = z
  .object({
    id: z.int(),
    state: z.enum(['single', 'overlap', 'committed']),
    until: dateTime.nullable(),
  })
  .meta({ id: 'Rotation' });

/** The response of its start, the only one with the new secret. */
export const StartedRotationSchema = RotationSchema.extend({ secret_key: z.string() }).meta({
  id: 'StartedRotation',
});
