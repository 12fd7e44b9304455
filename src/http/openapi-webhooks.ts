import type * as z from 'zod';
import type { SchemaShelf } from './openapi-schemas.ts';
import type { OperationObject, ParameterObject, PathItem, Schema } from './openapi-types.ts';
import { exampleOf } from './openapi-example.ts';

/** One event as the composing file describes it. */
export interface EventContract {
  name: string;
  /** The specification's column "Meaning". */
  meaning: string;
  /** What a token needs to subscribe. */
  scope: string;
  /** The schema of `resource`. */
  resource: z.ZodType;
}

/** The `webhooks` of the document: what is sent to a receiver (webhooks 3.9 and decisions 1, 2). */
export function webhooksOf(
  events: readonly EventContract[],
  serviceName: string,
  shelf: SchemaShelf,
): Record<string, PathItem> {
  return Object.fromEntries(
    events.map((event) => [event.name, { post: delivery(event, serviceName, shelf) }]),
  );
}

function delivery(event: EventContract, serviceName: string, shelf: SchemaShelf): OperationObject {
  const schema = bodyOf(event, shelf);
  return {
    operationId: `on${pascal(event.name)}`,
    tags: ['Events'],
    summary: event.meaning,
    'x-scope': event.scope,
    // What is sent to a receiver carries signatures instead of credentials.
    security: [],
    parameters: deliveryHeaders(event.name, serviceName),
    requestBody: {
      required: true,
      content: { 'application/json': { schema, example: exampleOf(schema, shelf.named) } },
    },
    responses: {
      '2XX': { description: 'Received. Answer within 5 seconds and do the work afterwards.' },
      '410': { description: 'Gone: the webhook is switched off at once and its events are held.' },
      default: { description: 'Anything else is tried again, up to 15 times over three days.' },
    },
  };
}

function bodyOf({ name, resource }: EventContract, shelf: SchemaShelf): Schema {
  return {
    type: 'object',
    properties: {
      event: { type: 'string', const: name },
      time: {
        type: 'string',
        description: "Local time of the event in the store's zone.",
        examples: ['2031-03-05 09:04:07'],
      },
      merchant: {
        type: 'object',
        properties: {
          id: { type: 'integer', format: 'int64' },
          alias: { type: 'string', examples: ['demo'] },
        },
        required: ['id', 'alias'],
      },
      resource: shelf.shown(resource),
    },
    required: ['event', 'time', 'merchant', 'resource'],
  };
}

/** The headers of every delivery; `id` stands for the id of the event. */
function deliveryHeaders(event: string, serviceName: string): ParameterObject[] {
  const id = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';
  const own = (name: string) => `X-${serviceName}-${name}`;
  /** Sent only while a secret is being replaced. */
  const replaced = [own('Hmac-SHA256-Next'), own('Hmac-SHA256-Previous')] as const;
  const base64 = 'q1h6mVYV2n1c0kQ3c1J8xkq5i0J7w9bY2f4dT6uR8eM=';
  const table: [name: string, description: string, example: string][] = [
    [own('Hmac-SHA256'), 'HMAC-SHA256 of the body, the secret as key, in Base64.', base64],
    [replaced[0], 'Before a new secret is committed: the same with the new one.', base64],
    [replaced[1], 'After a new secret was committed: the same with the old one.', base64],
    ['webhook-id', 'Id of the event; the same over retries, replays and webhooks.', id],
    ['webhook-timestamp', 'Moment of this attempt in Unix seconds.', '1930478647'],
    [
      'webhook-signature',
      'Standard Webhooks: v1, and the signature; several with spaces.',
      `v1,${base64}`,
    ],
    [own('Topic'), 'Name of the event.', event],
    [own('Shop-Domain'), 'Alias of the store.', 'demo'],
    [own('API-Version'), 'Version of the API.', '2.0'],
    [own('Webhook-Id'), 'Id of the event.', id],
    [own('Event-Id'), 'Id of the event.', id],
    [own('Delivery-Id'), 'Webhook and place in its sequence.', '7-42'],
    [own('Sequence'), 'Epoch and number; numbers of a webhook have no gaps.', '1.42'],
    [own('Attempt'), '1 for the first try.', '1'],
    [own('Triggered-At'), 'Moment of the event, ISO 8601 in UTC.', '2031-03-05T12:04:07.000Z'],
  ];
  return table.map(([name, description, example]) => ({
    name,
    in: 'header',
    required: !replaced.some((one) => one === name),
    description,
    schema: { type: 'string' },
    example,
  }));
}

const pascal = (name: string) =>
  name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
