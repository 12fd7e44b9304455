import * as z from 'zod';
import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { money } from '../../codecs/fields/scalars.ts';
import { choice } from '../../codecs/fields/text.ts';

/** The body of POST capture. Without `amount`, the whole authorized amount is captured. */
export const CaptureRequest = requestBodies({
  optional: {
    amount: [
      z
        .optional(money)
        .describe(
          'Part of the authorized amount to take; the rest is released. Without it, all is taken.',
        ),
      undefined,
    ],
  },
}).post;

export const SimulationRequest = requestBodies({
  required: {
    outcome: choice(['authorize', 'pay', 'refuse']).describe(
      'What to pretend: authorize, pay or refuse.',
    ),
  },
}).post;
