import { replayEvent } from '../../events/replay-event.ts';
import { operation } from '../../http/operation.ts';
import { list } from '../../http/replies.ts';
import { EventReplay, shown } from './replay-shapes.ts';

/** An event sent again to all webhooks that had it; beside the feed, under whose path it lies. */
export const eventReplayOperations = [
  operation({
    id: 'replayEvent',
    route: 'POST /{alias}/events/{event_id}/replays',
    access: 'webhooks.write',
    reply: list(EventReplay, 201),
    rejects: [404, 410],
    note: 'Sends one event again to all webhooks that it was meant for when it happened, held where they are paused; of an app to its own alone, and to no deleted one: 404 when none is left. Answers with one replay for each webhook. 410 when the body of the event is kept no longer.',
    run: async ({ db, ids, principal }) => {
      const replays = await replayEvent(db, principal, ids.event_id);
      return replays.map((replay) => ({ ...shown(replay), webhook_id: replay.endpoint_id }));
    },
  }),
];
