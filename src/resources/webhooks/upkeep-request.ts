import * as z from 'zod';
import type { Release } from '../../events/resume.ts';
import { bool } from '../../wire/bool.ts';
import { moment } from '../../wire/moment.ts';
import { int } from '../../wire/number.ts';
import { request } from '../../wire/request.ts';
import { expected, refuse } from '../../wire/sentences.ts';

/** The body of POST rotate-secret; `immediate` is for a secret that leaked. */
export const RotationRequest = request({
  optional: { overlap_hours: [int(0, 168), 24], immediate: [bool, false] },
}).post;

const sentence = 'Must be 72h, all, none or since: with a date and time.';

const release = z
  .string({ error: expected(sentence) })
  .meta({ examples: ['72h', 'all', 'none', 'since:2031-03-05 09:04:07'] })
  .transform((text, context): Release | '72h' => {
    if (text === 'all' || text === 'none' || text === '72h') return text;
    const since = text.startsWith('since:') ? moment.safeParse(text.slice(6)) : undefined;
    return since?.success ? { since: since.data } : refuse(context, sentence);
  });

/** The body of POST resume: which held deliveries go out. */
export const ResumeRequest = request({ optional: { resume: [release, '72h'] } }).post;
