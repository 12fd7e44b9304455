import type * as z from 'zod';
import { eventIdExample } from '../../base/codecs/fields/ids.ts';
import { isUpdate } from '../../data/grants/event-catalogue.ts';
import type { DocumentTexts } from './document-texts.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import type { OperationObject, ParameterObject, PathItem, JsonSchema } from './types.ts';

/** One event of the catalogue, as the document needs it. */
export interface EventDefinition {
  name: string;
  /** The text of the specification's column "Meaning". */
  meaning: string;
  /**
   * The scopes that a subscription requires, all of them in one grant; none for events of the
   * webhook of an app itself.
   */
  scopes: readonly string[];
  /** The schema of `resource`. */
  resource: z.ZodType;
}

/** Builds the `webhooks` of the document: the requests that receivers get. */
export function buildWebhooks(
  events: readonly EventDefinition[],
  { serviceName, texts }: { serviceName: string; texts: DocumentTexts },
  registry: SchemaRegistry,
): Record<string, PathItem> {
  return Object.fromEntries(
    events.map((event) => [
      event.name,
      { post: deliveryOperation(event, { serviceName, texts }, registry) },
    ]),
  );
}

function deliveryOperation(
  event: EventDefinition,
  { serviceName, texts }: { serviceName: string; texts: DocumentTexts },
  registry: SchemaRegistry,
): OperationObject {
  const name = toPascalCase(event.name);
  const payload = registry.register(`${name}Payload`, {
    type: 'object',
    description: `${event.meaning}. Sent as the body of each delivery of ${event.name}.`,
    properties: eventProperties(event, registry),
    required: ['event', 'time', 'merchant', 'resource'],
  });
  const description = texts.events[event.name];
  return {
    operationId: `on${name}`,
    tags: ['Events'],
    summary: event.meaning,
    ...(description !== undefined && { description }),
    'x-scope': event.scopes.join(' '),
    // Deliveries carry signatures instead of credentials.
    security: [],
    parameters: deliveryHeaders(event, serviceName),
    requestBody: { required: true, content: { 'application/json': { schema: payload } } },
    responses: {
      '2XX': { description: 'Received. Respond within 5 seconds and do the work afterwards.' },
      '410': {
        description: 'Gone. The webhook is deactivated at once and its deliveries are held.',
      },
      default: { description: 'Any other response is retried, up to 15 times over three days.' },
    },
  };
}

/** The members of an event, which deliveries and the feed share. */
function eventProperties(
  { name, scopes, resource }: EventDefinition,
  registry: SchemaRegistry,
): Record<string, JsonSchema> {
  return {
    event: {
      type: 'string',
      const: name,
      description: 'What happened; decides the shape of resource.',
    },
    time: {
      type: 'string',
      description: 'When it happened, as local time in the time zone of the store.',
      examples: ['2031-03-05 09:04:07'],
    },
    merchant: {
      ...registry.register('EventMerchant', {
        type: 'object',
        description: 'The store that an event is about.',
        properties: {
          id: {
            type: 'integer',
            format: 'int64',
            description: 'Store of the event: the id in merchants of POST /auth/me.',
          },
          alias: {
            type: 'string',
            description: 'Name of the store in every path of this API.',
            examples: ['demo'],
          },
        },
        required: ['id', 'alias'],
      }),
      description: 'Where it happened: one endpoint can serve several stores.',
    },
    resource: {
      ...registry.output(resource),
      description:
        scopes.length > 0
          ? 'The record as it was after the change, with its relations.'
          : 'The app, and what the event is about.',
    },
  };
}

/**
 * Turns the component of the feed's events into a union by `event`. The operation itself passes
 * stored bodies on, so its schema says nothing of `resource`.
 */
export function describeFeed(events: readonly EventDefinition[], registry: SchemaRegistry) {
  const { FeedEvent: feed } = registry.namedSchemas;
  const { id, changed } = feed?.properties ?? {};
  if (!feed || !id || !changed) return;
  const ofStores = events.filter(({ scopes }) => scopes.length > 0);
  const members = ofStores.map((event): [name: string, reference: JsonSchema] => [
    event.name,
    registry.register(`${toPascalCase(event.name)}FeedEvent`, {
      type: 'object',
      description: `${event.meaning}: ${event.name} as the feed returns it, with its id.`,
      properties: {
        id,
        ...eventProperties(event, registry),
        ...(isUpdate(event.name) && { changed }),
      },
      required: ['id', 'event', 'time', 'merchant', 'resource'],
    }),
  ]);
  registry.namedSchemas.FeedEvent = {
    description: `${feed.description ?? ''} The member event distinguishes the ${members.length} kinds.`,
    oneOf: members.map(([, reference]) => reference),
    discriminator: {
      propertyName: 'event',
      mapping: Object.fromEntries(members.map(([name, { $ref = '' }]) => [name, $ref])),
    },
  };
}

/** The headers of every delivery of an event. */
function deliveryHeaders(
  { name: event, scopes }: EventDefinition,
  serviceName: string,
): ParameterObject[] {
  const serviceHeader = (name: string) => `X-${serviceName}-${name}`;
  /** Sent only during a rotation of the secret. */
  const rotationHeaders = [
    serviceHeader('Hmac-SHA256-Next'),
    serviceHeader('Hmac-SHA256-Previous'),
  ] as const;
  const changed = serviceHeader('Changed');
  const optional = new Set<string>([...rotationHeaders, changed]);
  const base64 = 'q1h6mVYV2n1c0kQ3c1J8xkq5i0J7w9bY2f4dT6uR8eM=';
  const headers: (readonly [name: string, description: string, example: string])[] = [
    [
      serviceHeader('Hmac-SHA256'),
      'HMAC-SHA256 of the body with the secret as key, in Base64.',
      base64,
    ],
    [rotationHeaders[0], 'The same with the new secret, until it is committed.', base64],
    [rotationHeaders[1], 'The same with the old secret, after the new one was committed.', base64],
    [
      'webhook-id',
      'Id of the event, up to 64 characters. The same for all retries, replays and webhooks: handle each one once.',
      eventIdExample,
    ],
    ['webhook-timestamp', 'Time of this attempt in Unix seconds.', '1930478647'],
    [
      'webhook-signature',
      'Standard Webhooks: "v1," and the signature. Several are separated by spaces.',
      `v1,${base64}`,
    ],
    [
      serviceHeader('Topic'),
      'What happened, as event in the body: route by it before you parse.',
      event,
    ],
    ...(isUpdate(event)
      ? [
          [
            changed,
            'Names of the fields that an update changed, separated by commas. Not signed.',
            'name,skus.price_sale',
          ] as const,
        ]
      : []),
    [serviceHeader('Shop-Domain'), 'Alias of the store where it happened.', 'demo'],
    [serviceHeader('API-Version'), 'Version that the body has the shape of.', '2.0'],
    [
      serviceHeader('Webhook-Id'),
      'The same as webhook-id, under a name of this service.',
      eventIdExample,
    ],
    [serviceHeader('Event-Id'), 'The same as webhook-id.', eventIdExample],
    [
      serviceHeader('Delivery-Id'),
      'Id of the webhook and sequence number: names this delivery when you ask for help.',
      '7-42',
    ],
    [
      serviceHeader('Sequence'),
      `Epoch and sequence number. ${
        scopes.length > 0
          ? 'The numbers of a webhook have no gaps: one that is missing is still to come, or was lost on your side.'
          : 'The numbers of the webhook of an app have gaps.'
      }`,
      '1.42',
    ],
    [serviceHeader('Attempt'), 'How often this delivery was sent, from 1.', '1'],
    [
      serviceHeader('Triggered-At'),
      'Time of the event, ISO 8601 in UTC.',
      '2031-03-05T12:04:07.000Z',
    ],
  ];
  return headers.map(([name, description, example]) => ({
    name,
    in: 'header',
    required: !optional.has(name),
    description,
    schema: { type: 'string' },
    example,
  }));
}

const toPascalCase = (name: string) =>
  name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
