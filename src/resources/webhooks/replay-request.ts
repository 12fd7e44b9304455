import * as z from 'zod';
import { eventNames } from '../../events/catalogue.ts';
import { id } from '../../wire/id.ts';
import { list } from '../../wire/list.ts';
import { moment } from '../../wire/moment.ts';
import { object } from '../../wire/object.ts';

/** What can be sent again: what is open is still under way. */
const endedStates = ['delivered', 'gave_up', 'held', 'cancelled'] as const;

const state = z.enum(endedStates, { error: `Must be one of ${endedStates.join(', ')}.` });
const eventName = z.enum(eventNames, { error: 'Must be the name of an event.' });
const eventId = 'Must be the id of an event.';
const ways = ['seq', 'event_id', 'from'] as const;

/** The body of POST replays: one delivery, one event, or a range of time. */
export const ReplayRequest = object({
  from: moment.optional(),
  states: z.prefault(list(state, { min: 1, max: 20 }), ['delivered', 'gave_up']),
  events: list(eventName, { min: 1, max: 100 }).optional(),
  to: moment.optional(),
  seq: id().optional(),
  event_id: z.string({ error: eventId }).max(60, eventId).optional(),
}).superRefine((body, context) => {
  const named = ways.filter((way) => body[way] !== undefined);
  if (named.length === 1) return;
  for (const way of named.length === 0 ? ways : named) {
    const message = 'Must be the only one of seq, event_id and from.';
    context.addIssue({ code: 'custom', path: [way], message });
  }
});

export type ReplayRequest = z.output<typeof ReplayRequest>;
