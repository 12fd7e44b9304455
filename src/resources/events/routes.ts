import type * as z from 'zod';
import { requiredScopes } from '../../events/catalogue.ts';
import { readFeed } from '../../events/feed.ts';
import { feedPage } from '../../http/cursor-replies.ts';
import { operation } from '../../http/operation.ts';
import { dataList } from '../../http/replies.ts';
import { FeedEventSchema } from '../../schemas/webhooks/feed-event.ts';
import { EventReplaySchema, serializeReplay } from '../../schemas/webhooks/replay.ts';
import { replayEvent } from '../../webhooks/replay/start.ts';
import { eventFeedQuery } from './requests.ts';

type EventBody = Omit<z.input<typeof FeedEventSchema>, 'id'>;

export const eventOperations = [
  operation({
    id: 'listEvents',
    route: 'GET /{alias}/events',
    access: 'webhooks.read',
    query: eventFeedQuery,
    reply: feedPage(FeedEventSchema, 'after_id'),
    errors: [400],
    note: 'The events of the last 30 days, oldest first, that at least one webhook heard: it was subscribed, and its app had the scopes. A store without webhooks records none. A token sees only events all of whose scopes it has. With event, a page may hold fewer than limit events although links.next continues. A page of more than 6 MiB is 400: use a smaller limit.',
    run: async ({ db, query, principal }) => {
      const names = query.names.filter((name) => requiredScopes(name).every(principal.hasScope));
      const { rows, continueAfter: nextAfter } = await readFeed(db, { ...query, names });
      return {
        // `publish` wrote `body` with exactly these fields.
        rows: rows.map(({ id, body }) => ({ id, ...(JSON.parse(body) as EventBody) })),
        nextAfter,
        limit: query.limit,
      };
    },
  }),
];

export const eventReplayOperations = [
  operation({
    id: 'replayEvent',
    route: 'POST /{alias}/events/{event_id}/replays',
    access: 'webhooks.write',
    reply: dataList(EventReplaySchema, 201),
    errors: [404, 409, 410],
    note: 'Sends one event again to all webhooks for which it was recorded, and returns one replay per webhook. Paused webhooks hold the delivery. An app replays only to its own webhooks, and deleted webhooks are left out: 404 when none is left. Webhooks of apps without every scope of the event are left out as well: 403 when none is left. 410 when the body of the event is no longer stored. Webhooks that the event was not yet sent to, and that get it anyway, are left out too: 409 (not_sent_yet) when none is left.',
    run: async ({ db, ids, principal }) => {
      const replays = await replayEvent(db, principal, ids.event_id);
      return replays.map((replay) => ({
        ...serializeReplay(replay),
        webhook_id: replay.endpoint_id,
      }));
    },
  }),
];
