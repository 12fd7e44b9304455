import * as z from 'zod';
import { arrayOf } from '../../base/codecs/fields/arrays-and-objects.ts';
import { eventIdPattern, eventIdExample, merchantId } from '../../base/codecs/fields/ids.ts';
import { explainEnum, explain } from '../../base/codecs/meaning.ts';
import { writtenOutside } from '../../base/codecs/written-outside.ts';
import {
  eventMeanings,
  eventNames,
  requiredScopes,
  specifiedEventNames,
} from '../../data/grants/event-catalogue.ts';
import { feedPage } from '../../http/cursor-replies.ts';
import { explainOperations, operation } from '../../http/operation.ts';
import { limitField, limitParameter, singleValue } from '../../http/query-parameters.ts';
import { dataList, dataWithWarning } from '../../http/replies.ts';
import { readFeed } from '../events/feed.ts';
import { replayEvent } from '../replay/start-replay.ts';
import {
  EventReplaySchema,
  serializeStarted,
  warningOfStarted,
  type StartedAnswer,
} from './replay-schema.ts';

/** An event of the feed: its id and the body that webhooks receive. */
export const FeedEventSchema = z
  .object({
    id: z.string().meta({ examples: [eventIdExample] }),
    event: z.enum(eventNames),
    time: z.string().meta({
      examples: ['2031-03-05 09:04:07'],
    }),
    merchant: z.object({
      id: merchantId,
      alias: z.string().describe('Name of the store in every path of this API.'),
    }),
    resource: writtenOutside(z.record(z.string(), z.unknown())),
    changed: z
      .array(z.string())
      .optional()
      .meta({ examples: [['name', 'skus.price_sale']] }),
  })
  .meta({ id: 'FeedEvent' });

/* @__PURE__ */ explain(
  FeedEventSchema,
  'An event of the feed: its id and the body that webhooks receive.',
  {
    id: 'Identifies the event: webhook-id of its deliveries. Use it to handle an event once.',
    event: 'What happened; decides the shape of resource.',
    time: 'When it happened, in the time zone of the store.',
    merchant: 'Store where it happened.',
    resource: 'The record after the change, as webhooks receive it.',
    changed: 'Names of the fields of resource that an update changed, as in X-Service-Changed.',
  },
);

const eventFilter = z.union([singleValue, z.array(singleValue)]).default([]);
const eventList = arrayOf(z.enum(eventNames), { max: 100 });

const feedParameters = z
  .object({
    after_id: singleValue.regex(/^(evt_[0-9a-f]{46})?$/, 'Must be the id of an event.').optional(),
    limit: limitField,
    event: eventFilter,
    'event[]': eventFilter,
  })
  .transform((query, context) => {
    const sentNames = [query.event, query['event[]']]
      .flat()
      .flatMap((text) => text.split(','))
      .filter((text) => text !== '');
    const events = eventList.safeParse(sentNames);
    if (!events.success) {
      context.addIssue({
        code: 'custom',
        path: ['event'],
        message: `Must be one of ${eventNames.join(', ')}.`,
      });
      return z.NEVER;
    }
    return {
      // An empty value means no filter.
      afterId: query.after_id || undefined,
      limit: query.limit,
      names:
        events.data.length > 0
          ? eventNames.filter((name) => events.data.includes(name))
          : eventNames,
    };
  });

/** The query of the event feed. Its cursor is the id of an event. */
const eventFeedQuery = {
  schema: feedParameters,
  names: ['after_id', 'event', 'event[]', 'limit'],
  parameters: [
    {
      name: 'after_id',
      description:
        'Id of the last event that was read; without it the feed starts at its oldest event.',
      schema: { type: 'string', pattern: eventIdPattern },
    },
    {
      name: 'event',
      description: 'Only events with these names, separated by commas or as several event[].',
      schema: { type: 'array', items: { type: 'string', enum: eventNames } },
    },
    limitParameter('Events'),
  ],
};

type EventBody = Omit<z.input<typeof FeedEventSchema>, 'id' | 'changed'>;

export const eventOperations = [
  operation({
    id: 'listEvents',
    route: 'GET /{alias}/events',
    access: 'webhooks.read',
    query: eventFeedQuery,
    reply: feedPage(FeedEventSchema, 'after_id'),
    errors: [400],
    run: async ({ db, query, principal }) => {
      const names = query.names.filter((name) => requiredScopes(name).every(principal.hasScope));
      const { rows, continueAfter } = await readFeed(db, { ...query, names });
      return {
        // `publish` wrote `body` with exactly these fields.
        rows: rows.map(({ id, body, changed }) => ({
          id,
          ...(JSON.parse(body) as EventBody),
          ...(changed !== null && { changed: changed.split(',') }),
        })),
        next: continueAfter ?? null,
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
    reply: dataWithWarning<StartedAnswer[]>(dataList(EventReplaySchema, 201), warningOfStarted),
    errors: [404, 409, 410],
    run: async ({ db, ids, principal }) => {
      const replays = await replayEvent(db, principal, ids.event_id);
      return replays.map((replay) => serializeStarted(replay, db.now));
    },
  }),
];

/* @__PURE__ */ explainOperations({
  listEvents:
    'The events of the last 30 days, oldest first, that were recorded for at least one webhook: it was subscribed, and its app had the scopes. A store without webhooks records none. A token sees only events all of whose scopes it has. With event, a page may hold fewer than limit events although links.next continues. A page of more than 6 MiB is 400: use a smaller limit.',
  replayEvent:
    'Sends one event again to all webhooks for which it was recorded, and returns one replay per webhook. Paused webhooks hold the delivery, and failing ones send it after their next attempt: X-Warning names them. An app replays only to its own webhooks, and deleted webhooks are left out: 404 when none is left. Webhooks of apps without every scope of the event are left out as well: 403 when none is left. 410 when the body of the event is no longer stored. Webhooks that the event was not yet sent to, and that get it anyway, are left out too: 409 (not_sent_yet) when none is left.',
});

const sentencesOf = (names: readonly (keyof typeof eventMeanings)[]) =>
  Object.fromEntries(names.map((name) => [name, `${eventMeanings[name]}.`]));

/* @__PURE__ */ explainEnum(
  'EventName',
  'Something that happened in a store. Webhooks subscribe to these names.',
  /* @__PURE__ */ sentencesOf(eventNames),
);

/* @__PURE__ */ explainEnum(
  'ListedEventName',
  'An event that the list of events has.',
  /* @__PURE__ */ sentencesOf(specifiedEventNames),
);
