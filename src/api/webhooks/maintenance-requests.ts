import * as z from 'zod';
import { messageOrRequired, addIssue } from '../../base/codecs/field-messages.ts';
import { dateTimeInput } from '../../base/codecs/fields/date-time.ts';
import { bool, int } from '../../base/codecs/fields/scalars.ts';
import { requestBodies } from '../../base/codecs/request-bodies.ts';
import type { ReleaseRange } from '../../webhooks/endpoints/resume-endpoint.ts';

/** The body of POST rotate-secret. `immediate` is meant for a secret that leaked. */
export const RotationRequest = requestBodies({
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

const releaseMessage = 'Must be 72h, all, none or since: with a date and time.';

const release = z
  .string({ error: messageOrRequired(releaseMessage) })
  .meta({ examples: ['72h', 'all', 'none', 'since:2031-03-05 09:04:07'] })
  .transform((text, context): ReleaseRange | '72h' => {
    if (text === 'all' || text === 'none' || text === '72h') return text;
    const since = text.startsWith('since:') ? dateTimeInput.safeParse(text.slice(6)) : undefined;
    return since?.success ? { since: since.data } : addIssue(context, releaseMessage);
  });

/** The body of POST resume: which held deliveries are released. */
export const ResumeRequest = requestBodies({
  optional: {
    resume: [
      release.describe(
        'Held deliveries to release: 72h (those of the last 72 hours), all, none, or since: with a date and time.',
      ),
      '72h',
    ],
  },
}).post;
