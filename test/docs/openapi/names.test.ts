import { describe, expect, it } from 'vitest';
import { eventNames } from '../../../src/data/grants/event-catalogue.ts';
import { componentName } from '../../../src/http/openapi/normalize-schema.ts';
import type { JsonSchema } from '../../../src/http/openapi/types.ts';
import { FeedEventSchema } from '../../../src/webhooks/operations/events.ts';
import { apiOperations, document, visitSchemas } from './support.ts';

const { schemas } = document.components;

/** The keys of a schema that restrict its value. */
const restrictions = (schema: JsonSchema) =>
  Object.keys(schema).filter((key) => !['description', 'examples', 'default'].includes(key));

describe('the names of the document', () => {
  it('cover every request body: the name does not depend on what the body is today', () => {
    const names = Object.fromEntries(
      apiOperations.flatMap(([, { operationId, requestBody }]) =>
        Object.values(requestBody?.content ?? {}).map(({ schema }) => [
          operationId,
          componentName(schema),
        ]),
      ),
    );
    expect(Object.values(names)).not.toContain('');
    expect(names).toMatchObject({
      createProduct: 'ProductInput',
      updateProduct: 'ProductPatch',
      createBrand: 'BrandInput',
      updateBrand: 'BrandPatch',
      createProductSku: 'SkuInput',
      createCustomerAddress: 'AddressInput',
      createOrder: 'OrderInput',
      updateWebhook: 'WebhookPatch',
    });
  });

  it('cover the objects inside bodies, which several bodies share', () => {
    expect(schemas.ProductInput?.properties?.skus?.items).toEqual({
      $ref: '#/components/schemas/SkuInput',
    });
    expect(schemas.CustomerInput?.properties?.addresses?.items).toEqual({
      $ref: '#/components/schemas/AddressInput',
    });
    for (const [name, schema] of Object.entries(schemas)) {
      if (!/(Input|Patch|Filter)$/.test(name) || name === 'Filter') continue;
      const text = JSON.stringify(Object.values(schema.properties ?? {}));
      expect(text, name).not.toContain('"properties"');
    }
  });

  it('cover every enum of states and kinds, with the meaning of each value', () => {
    const unnamed: string[] = [];
    visitSchemas((schema, path) => {
      const isComponent = /^\/components\/schemas\/\w+$/.test(path);
      // The relations of `include` are the fields of the record.
      const isInclude = /parameters/.test(path) && path.endsWith('/items');
      if ((schema.enum?.length ?? 0) > 1 && !isComponent && !isInclude) unnamed.push(path);
      if (schema.enum && isComponent) {
        expect(Object.keys(schema['x-enumDescriptions'] ?? {}), path).toEqual(
          expect.arrayContaining(schema.enum.map(String)),
        );
      }
    });
    expect(unnamed).toEqual([]);
    expect(schemas.OrderStatus?.enum).toContain('waiting_payment');
    expect(schemas.OrderInput?.properties?.status).toMatchObject({
      $ref: '#/components/schemas/OrderStatus',
    });
    expect(schemas.Transaction?.properties?.status).toMatchObject({
      $ref: '#/components/schemas/TransactionStatus',
    });
  });

  it('leave no value without a type', () => {
    const untyped: string[] = [];
    visitSchemas((schema, path) => {
      if (restrictions(schema).length === 0) untyped.push(path);
      if (schema.type === 'object' && !schema.properties && !schema.additionalProperties) {
        untyped.push(path);
      }
    });
    expect(untyped).toEqual([]);
  });

  it('document booleans as booleans', () => {
    expect(schemas.BrandInput?.properties?.active?.type).toBe('boolean');
    expect(schemas.BrandInput?.properties?.featured).toMatchObject({
      type: 'boolean',
      default: false,
    });
    expect(JSON.stringify(document)).not.toContain('"1","0"');
    expect(document.info.description).toContain('`"true"`');
  });

  it('make the events of the feed a union by event, with the fields that the feed has', () => {
    const { oneOf = [], discriminator } = schemas.FeedEvent ?? {};
    expect(Object.keys(discriminator?.mapping ?? {})).toEqual(eventNames);
    expect(discriminator?.propertyName).toBe('event');
    for (const [index, reference] of oneOf.entries()) {
      const { properties = {}, required } = schemas[componentName(reference)] ?? {};
      const names = Object.keys(FeedEventSchema.shape).filter((name) => name !== 'changed');
      expect(required).toEqual(names);
      // Only an update says what it changed.
      const isUpdate = eventNames[index]?.endsWith('.updated');
      expect(Object.keys(properties)).toEqual(isUpdate ? [...names, 'changed'] : names);
      expect(properties.event?.const).toBe(eventNames[index]);
      expect(componentName(properties.resource ?? {})).toMatch(/^\w+$/);
    }
    expect(oneOf).toHaveLength(14);
  });

  it('type the 404 of an empty list and the answer to a deletion', () => {
    expect(schemas.EmptyPage?.properties?.data).toMatchObject({ type: 'array', maxItems: 0 });
    expect(schemas.Empty).toMatchObject({ properties: {}, additionalProperties: false });
  });
});
