import type { ReplayFilter } from '../../db/schema/webhook-upkeep.ts';
import { replayOf, replaysOf } from '../../events/replays.ts';
import { startReplay } from '../../events/replay-start.ts';
import { cursorPage } from '../../http/cursor-page.ts';
import { operation } from '../../http/operation.ts';
import { data } from '../../http/replies.ts';
import { InvalidBody } from '../../problem.ts';
import { deliveryStates } from './delivery-shapes.ts';
import { pagingQuery } from './log-query.ts';
import { ReplayRequest } from './replay-request.ts';
import { Replay, shown } from './replay-shapes.ts';

/** How far back a range may begin: for so long the log is kept. */
const longestMs = 30 * 86_400_000;

function filterOf(body: ReplayRequest, now: number): ReplayFilter {
  const { seq, event_id, from, to = now, states, events = null } = body;
  if (seq !== undefined) return { seq };
  if (event_id !== undefined) return { event_id };
  // The schema lets no body pass without one of the three.
  const start = from ?? now;
  if (start < now - longestMs)
    throw new InvalidBody({ from: ['Must be within the last 30 days.'] });
  if (start >= to) throw new InvalidBody({ from: ['Must be before to.'] });
  const numbers = states.map((state) => deliveryStates.indexOf(state));
  return { from: start, to: Math.min(to, now), states: [...new Set(numbers)], events };
}

export const replayOperations = [
  operation({
    id: 'listWebhookReplays',
    route: 'GET /{alias}/webhooks/{id}/replays',
    access: 'webhooks.read',
    query: pagingQuery,
    reply: cursorPage(Replay),
    rejects: [],
    note: 'Newest first, and paged by cursor like the deliveries.',
    run: async ({ db, ids, query, principal }) => {
      const { limit, cursor: before } = query;
      const found = await replaysOf(db, principal, ids.id, { limit, before });
      return found && { ...found, rows: found.rows.map(shown) };
    },
  }),
  operation({
    id: 'createWebhookReplay',
    route: 'POST /{alias}/webhooks/{id}/replays',
    access: 'webhooks.write',
    body: ReplayRequest,
    reply: data(201, Replay),
    rejects: [404, 409, 410, 422],
    note: 'Sends again one delivery (seq), one event (event_id) or what was recorded from from until to (now when absent; at most 30 days back and 10,000 deliveries), of the states and events named. The same event ids and bytes get new sequence numbers. One delivery or event goes at once, and is 410 when its body is kept no longer; a range goes some each minute and skips those, and a second one meanwhile is 409.',
    run: async ({ db, ids, body, principal }) => {
      const replay = await startReplay(db, principal, ids.id, filterOf(body, db.now));
      return replay && shown(replay);
    },
  }),
  operation({
    id: 'showWebhookReplay',
    route: 'GET /{alias}/webhooks/{id}/replays/{replayId}',
    access: 'webhooks.read',
    reply: data(200, Replay),
    rejects: [],
    run: async ({ db, ids, principal }) => {
      const replay = await replayOf(db, principal, ids.id, ids.replayId);
      return replay && shown(replay);
    },
  }),
];
