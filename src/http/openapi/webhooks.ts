import type * as z from 'zod';
import { exampleFor } from './example.ts';
import type { SchemaRegistry } from './schema-registry.ts';
import type { OperationObject, ParameterObject, PathItem, JsonSchema } from './types.ts';

/** One event of the catalogue, as the document needs it. */
export interface EventDefinition {
  name: string;
  /** The text of the specification's column "Meaning". */
  meaning: string;
  /** The scopes that a subscription requires, all of them in one grant. */
  scopes: readonly string[];
  /** The schema of `resource`. */
  resource: z.ZodType;
}

/** Builds the `webhooks` of the document: the requests that receivers get. */
export function buildWebhooks(
  events: readonly EventDefinition[],
  serviceName: string,
  registry: SchemaRegistry,
): Record<string, PathItem> {
  return Object.fromEntries(
    events.map((event) => [event.name, { post: deliveryOperation(event, serviceName, registry) }]),
  );
}

function deliveryOperation(
  event: EventDefinition,
  serviceName: string,
  registry: SchemaRegistry,
): OperationObject {
  const schema = webhookBodySchema(event, registry);
  return {
    operationId: `on${toPascalCase(event.name)}`,
    tags: ['Events'],
    summary: event.meaning,
    'x-scope': event.scopes.join(' '),
    // Deliveries carry signatures instead of credentials.
    security: [],
    parameters: deliveryHeaders(event.name, serviceName),
    requestBody: {
      required: true,
      content: {
        'application/json': { schema, example: exampleFor(schema, registry.namedSchemas) },
      },
    },
    responses: {
      '2XX': { description: 'Received. Respond within 5 seconds and do the work afterwards.' },
      '410': {
        description: 'Gone. The webhook is deactivated at once and its deliveries are held.',
      },
      default: { description: 'Any other response is retried, up to 15 times over three days.' },
    },
  };
}

function webhookBodySchema(
  { name, resource }: EventDefinition,
  registry: SchemaRegistry,
): JsonSchema {
  return {
    type: 'object',
    properties: {
      event: { type: 'string', const: name },
      time: {
        type: 'string',
        description: "Local time of the event in the store's time zone.",
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
      resource: registry.output(resource),
    },
    required: ['event', 'time', 'merchant', 'resource'],
  };
}

/** The headers of every delivery. */
function deliveryHeaders(event: string, serviceName: string): ParameterObject[] {
  const id = '0192f3a4-5b6c-7d8e-9f01-23456789abcd';
  const serviceHeader = (name: string) => `X-${serviceName}-${name}`;
  /** Sent only during a rotation of the secret. */
  const rotationHeaders = [
    serviceHeader('Hmac-SHA256-Next'),
    serviceHeader('Hmac-SHA256-Previous'),
  ] as const;
  const base64 = 'q1h6mVYV2n1c0kQ3c1J8xkq5i0J7w9bY2f4dT6uR8eM=';
  const headers: [name: string, description: string, example: string][] = [
    [
      serviceHeader('Hmac-SHA256'),
      'HMAC-SHA256 of the body with the secret as key, in Base64.',
      base64,
    ],
    [rotationHeaders[0], 'The same with the new secret, until it is committed.', base64],
    [rotationHeaders[1], 'The same with the old secret, after the new one was committed.', base64],
    ['webhook-id', 'Id of the event. The same for all retries, replays and webhooks.', id],
    ['webhook-timestamp', 'Time of this attempt in Unix seconds.', '1930478647'],
    [
      'webhook-signature',
      'Standard Webhooks: "v1," and the signature. Several are separated by spaces.',
      `v1,${base64}`,
    ],
    [serviceHeader('Topic'), 'Name of the event.', event],
    [serviceHeader('Shop-Domain'), 'Alias of the store.', 'demo'],
    [serviceHeader('API-Version'), 'Version of the API.', '2.0'],
    [serviceHeader('Webhook-Id'), 'Id of the event.', id],
    [serviceHeader('Event-Id'), 'Id of the event.', id],
    [serviceHeader('Delivery-Id'), 'Id of the webhook and sequence number.', '7-42'],
    [
      serviceHeader('Sequence'),
      'Epoch and sequence number. The numbers of a webhook have no gaps.',
      '1.42',
    ],
    [serviceHeader('Attempt'), '1 for the first attempt.', '1'],
    [
      serviceHeader('Triggered-At'),
      'Time of the event, ISO 8601 in UTC.',
      '2031-03-05T12:04:07.000Z',
    ],
  ];
  return headers.map(([name, description, example]) => ({
    name,
    in: 'header',
    required: !rotationHeaders.some((header) => header === name),
    description,
    schema: { type: 'string' },
    example,
  }));
}

const toPascalCase = (name: string) =>
  name.replaceAll(/(?:^|[._])(\w)/g, (_, letter: string) => letter.toUpperCase());
