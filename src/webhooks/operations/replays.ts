import * as z from 'zod';
import { arrayOf, object } from '../../base/codecs/fields/arrays-and-objects.ts';
import { dateTimeInput } from '../../base/codecs/fields/date-time.ts';
import { recordId } from '../../base/codecs/fields/ids.ts';
import { stringInput, textRules } from '../../base/codecs/fields/string-input.ts';
import { explainEnum, explainBody } from '../../base/codecs/meaning.ts';
import { dayMs } from '../../base/durations.ts';
import { ValidationError } from '../../base/errors.ts';
import { eventNames } from '../../data/grants/event-catalogue.ts';
import type { ReplayFilter } from '../../data/schema/store/webhook-operations-tables.ts';
import { cursorPage } from '../../http/cursor-replies.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { cursorQuery } from '../../http/query-parameters.ts';
import { data, dataWithWarning } from '../../http/replies.ts';
import { findReplay, listReplays } from '../replay/record.ts';
import { startReplay } from '../replay/start-replay.ts';
import { deliveryStateNames } from './delivery-schema.ts';
import {
  ReplaySchema,
  serializeReplay,
  serializeStarted,
  warningOfStarted,
  type StartedAnswer,
} from './replay-schema.ts';

/** States whose deliveries can be replayed: all but `open`, which is still being delivered. */
const replayableStates = ['delivered', 'gave_up', 'held', 'cancelled'] as const;

const state = z.enum(replayableStates, { error: `Must be one of ${replayableStates.join(', ')}.` });
const eventName = z.enum(eventNames, { error: `Must be one of ${eventNames.join(', ')}.` });
const eventIdMessage = 'Must be the id of an event.';
const selectors = ['seq', 'event_id', 'from'] as const;

/**
 * The body of POST replays: one delivery (`seq`), one event (`event_id`) or a time range (`from`).
 */
const ReplayRequest = object({
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
    .register(textRules, { rule: 'raw' })
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

/* @__PURE__ */ explainBody(ReplayRequest, {
  WebhookReplayInput:
    'Which deliveries are sent once more: one of them, one event, or those of a time.',
});

type ReplayRequest = z.output<typeof ReplayRequest>;

/** A range starts at most this long ago, as long as the log is kept. */
const maxAgeMs = 30 * dayMs;

function toReplayFilter(body: ReplayRequest, now: number): ReplayFilter {
  const { seq, event_id, from, to = now, states, events = null } = body;
  if (seq !== undefined) return { seq };
  if (event_id !== undefined) return { event_id };
  // The schema guarantees that one of the three was sent.
  const start = from ?? now;
  if (start < now - maxAgeMs) {
    throw new ValidationError({ from: ['Must be within the last 30 days.'] });
  }
  if (start >= to) throw new ValidationError({ from: ['Must be before to.'] });
  const stateNumbers = states.map((state) => deliveryStateNames.indexOf(state));
  return { from: start, to: Math.min(to, now), states: [...new Set(stateNumbers)], events };
}

export const replayOperations = [
  operation({
    id: 'listWebhookReplays',
    route: 'GET /{alias}/webhooks/{id}/replays',
    access: 'webhooks.read',
    query: cursorQuery,
    reply: cursorPage(ReplaySchema),
    errors: [],
    run: async ({ db, ids, query, principal }) => {
      const { limit, cursor: before } = query;
      const found = await listReplays(db, principal, ids.id, { limit, before });
      return found && { ...found, rows: found.rows.map(serializeReplay) };
    },
  }),
  operation({
    id: 'createWebhookReplay',
    route: 'POST /{alias}/webhooks/{id}/replays',
    access: 'webhooks.write',
    body: ReplayRequest,
    reply: dataWithWarning<StartedAnswer>(data(201, ReplaySchema), warningOfStarted),
    errors: [404, 409, 410, 422],
    run: async ({ db, ids, body, principal }) => {
      const replay = await startReplay(db, principal, ids.id, toReplayFilter(body, db.now));
      return replay && serializeStarted(replay, db.now);
    },
  }),
  operation({
    id: 'showWebhookReplay',
    route: 'GET /{alias}/webhooks/{id}/replays/{replayId}',
    access: 'webhooks.read',
    reply: data(200, ReplaySchema),
    errors: [],
    run: async ({ db, ids, principal }) => {
      const replay = await findReplay(db, principal, ids.id, ids.replayId);
      return replay && serializeReplay(replay);
    },
  }),
];

/* @__PURE__ */ explainOperations({
  listWebhookReplays: 'Newest first, paged by cursor like the deliveries.',
  createWebhookReplay:
    'Send exactly one of seq (one delivery), event_id (one event) and from (a range of time). A range ends at to (default: now), starts at most 30 days ago and covers at most 10,000 deliveries of the given states and events. A replay sends the same event ids and bodies under new sequence numbers. One delivery or event is sent at once, or returns 410 when its body is no longer stored, and 409 (not_sent_yet) when its first attempt is still to come. A range is sent in chunks each minute and skips such deliveries, and those of events that the app of the webhook may not receive (one such event alone: 403); a second range meanwhile returns 409. While the webhook is failing, a replay waits for its next attempt, and while it is not active until it is resumed: X-Warning says so.',
});

/* @__PURE__ */ explainEnum(
  'ReplayableState',
  'States of past deliveries that a replay can pick.',
  {
    delivered: 'Your server answered 2xx.',
    gave_up: 'All attempts failed.',
    held: 'Not sent while the webhook was paused or disabled.',
    cancelled: 'Not sent, because it was held until its event was too old.',
  },
);
