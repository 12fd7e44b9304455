import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { getOpenApiDocument } from '../../../../src/docs/openapi-document.ts';
import { inlineSchema } from '../../../support/api/inline-schema.ts';
import { closeSchema } from '../../../support/api/json-schema.ts';
import { sampleCustomer } from '../../../support/fixtures/sample-data.ts';
import { createTestStore } from '../../../support/fixtures/store.ts';
import { subscribeEndpoint } from '../../../support/webhooks/recorded-events.ts';
import '../../../support/fixtures/first-shard.ts';

describe('GET /{alias}/events', () => {
  it('returns 200 with events of the kinds that the document distinguishes by event', async () => {
    const shop = await createTestStore();
    await subscribeEndpoint(shop, ['customer.created']);
    await shop.api('POST /customers', sampleCustomer);
    const { status, body } = await shop.api('GET /events');
    expect(status).toBe(200);
    const { schemas } = getOpenApiDocument('Service', '/v2').components;
    const { mapping = {} } = schemas.FeedEvent?.discriminator ?? {};
    expect(body.data).toHaveLength(1);
    for (const event of body.data) {
      const kind = inlineSchema({ $ref: mapping[event.event] ?? '' }, schemas);
      const closed = closeSchema(kind) as Parameters<typeof z.fromJSONSchema>[0];
      expect(z.fromJSONSchema(closed).safeParse(event).error?.issues, event.event).toBeUndefined();
    }
  });
});
