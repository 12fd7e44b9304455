import { requestBodies } from '../../codecs/body/request-bodies.ts';
import { int } from '../../codecs/fields/scalars.ts';
import { maxAdvanceSeconds } from '../../test-stores/clock.ts';

/** The body of POST clock. */
export const ClockRequest = requestBodies({
  required: {
    advance_seconds: int(1, maxAdvanceSeconds).describe(
      'How far to advance the clock: 3600 for an hour, 86400 for a day.',
    ),
  },
}).post;
