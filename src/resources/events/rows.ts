import type * as z from 'zod';
import { readScope } from '../../events/catalogue.ts';
import { readFeed } from '../../events/feed.ts';
import { feed } from '../../http/feed-reply.ts';
import { operation } from '../../http/operation.ts';
import { feedQuery } from './query.ts';
import { FeedEvent } from './shapes.ts';

export const eventOperations = [
  operation({
    id: 'listEvents',
    route: 'GET /{alias}/events',
    access: 'webhooks.read',
    query: feedQuery,
    reply: feed(FeedEvent, 'after_id'),
    rejects: [400],
    note: 'The events of the last 30 days, oldest first, that at least one webhook was subscribed to when they happened: a store without webhooks records none. A token sees those events whose own scope it has. With event a page may hold less than limit although links.next goes on.',
    run: async ({ db, query, principal }) => {
      const names = query.names.filter((name) => principal.may(readScope(name)));
      const { rows, goesOnAfter } = await readFeed(db, { ...query, names });
      return {
        // `body` was made by `events/publish` of exactly these fields.
        rows: rows.map(({ id, body }) => ({ id, ...(JSON.parse(body) as Body) })),
        goesOnAfter,
        limit: query.limit,
      };
    },
  }),
];

type Body = Omit<z.input<typeof FeedEvent>, 'id'>;
