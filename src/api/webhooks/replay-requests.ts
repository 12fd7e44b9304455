import * as z from 'zod';
import { arrayOf, object } from '../../base/codecs/fields/arrays-and-objects.ts';
import { dateTimeInput } from '../../base/codecs/fields/date-time.ts';
import { recordId } from '../../base/codecs/fields/ids.ts';
import { stringInput } from '../../base/codecs/fields/string-input.ts';
import { eventNames } from '../../data/grants/event-catalogue.ts';

/** States whose deliveries can be replayed: all but `open`, which is still being delivered. */
const replayableStates = ['delivered', 'gave_up', 'held', 'cancelled'] as const;

const state = z.enum(replayableStates, { error: `Must be one of ${replayableStates.join(', ')}.` });
const eventName = z.enum(eventNames, { error: 'Must be the name of an event.' });
const eventIdMessage = 'Must be the id of an event.';
const selectors = ['seq', 'event_id', 'from'] as const;

/** The body of POST replays: one delivery (`seq`), one event (`event_id`) or a time range (`from`). */
export const ReplayRequest = object({
  from: dateTimeInput.optional().describe('Start of a range of time; at most 30 days ago.'),
  states: z
    .prefault(arrayOf(state, { min: 1, max: 20 }), ['delivered', 'gave_up'])
    .describe('States of the deliveries in the range to repeat.'),
  events: arrayOf(eventName, { min: 1, max: 100 })
    .optional()
    .describe('Events in the range to repeat; without it, all.'),
  to: dateTimeInput.optional().describe('End of the range, exclusive; now if absent.'),
  seq: recordId().optional().describe('One delivery to repeat, by its sequence number.'),
  event_id: stringInput(eventIdMessage, 60)
    .max(60, eventIdMessage)
    .optional()
    .describe('One event to repeat, by its id.'),
}).superRefine((body, context) => {
  const sent = selectors.filter((name) => body[name] !== undefined);
  if (sent.length === 1) return;
  for (const name of sent.length === 0 ? selectors : sent) {
    const message = 'Must be the only one of seq, event_id and from.';
    context.addIssue({ code: 'custom', path: [name], message });
  }
});

export type ReplayRequest = z.output<typeof ReplayRequest>;
