import { dayMs } from '../../base/durations.ts';
import { ValidationError } from '../../base/errors.ts';
import type { ReplayFilter } from '../../data/schema/store/webhook-operations-tables.ts';
import { cursorPage } from '../../http/cursor-replies.ts';
import { operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { findReplay, listReplays } from '../../webhooks/replay/record.ts';
import { startReplay } from '../../webhooks/replay/start-replay.ts';
import { cursorQuery } from '../query-parameters.ts';
import { deliveryStateNames } from './delivery-schema.ts';
import { ReplayRequest } from './replay-requests.ts';
import { ReplaySchema, serializeReplay } from './replay-schema.ts';

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
    note: 'Newest first, paged by cursor like the deliveries.',
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
    reply: data(201, ReplaySchema),
    errors: [404, 409, 410, 422],
    note: 'Send exactly one of seq (one delivery), event_id (one event) and from (a range of time). A range ends at to (default: now), starts at most 30 days ago and covers at most 10,000 deliveries of the given states and events. A replay sends the same event ids and bodies under new sequence numbers. One delivery or event is sent at once, or returns 410 when its body is no longer stored, and 409 (not_sent_yet) when its first attempt is still to come. A range is sent in chunks each minute and skips such deliveries, and those of events that the app of the webhook may not receive (one such event alone: 403); a second range meanwhile returns 409.',
    run: async ({ db, ids, body, principal }) => {
      const replay = await startReplay(db, principal, ids.id, toReplayFilter(body, db.now));
      return replay && serializeReplay(replay);
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
