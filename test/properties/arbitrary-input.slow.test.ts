import fc from 'fast-check';
import { describe, it } from 'vitest';
import type { Operation } from '../../src/http/operation.ts';
import { callApi } from '../support/api/client.ts';
import { topLevelFields } from '../support/api/json-schema.ts';
import { operations } from '../support/api/operations.ts';
import { headersFor } from '../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import { shared } from '../support/shared.ts';

/** `callApi` checks each response against the OpenAPI document, which has no body for a 500. */
const send = async (operation: Operation, testStore: TestStore, query: string, body?: unknown) =>
  callApi(
    operation.method,
    `/v2${operation.path.replace('{alias}', testStore.alias).replaceAll(/\{\w+\}/g, operation.access === 'operator' ? '9007199254740991' : '1')}${query}`,
    {
      headers: await headersFor(operation, testStore.headers),
      ...(body !== undefined && { body }),
    },
  );

/** A store that is only read. */
const sharedStore = shared(() => createTestStore());

/** Arbitrary JSON, and values that break careless code. */
const value = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom<unknown>(
    '',
    ' ',
    '\u0000',
    '\uD800',
    '\u202e',
    "'; drop table brands; --",
    '<b>',
    '__proto__',
    '9'.repeat(400),
    'x'.repeat(20_000),
    0,
    -0,
    1e308,
    -1,
    0.1 + 0.2,
    Number.MAX_SAFE_INTEGER + 2,
    {},
    [],
    [[]],
    [null],
    { data: null },
    { constructor: { prototype: {} } },
  ),
);

describe.each(
  operations.filter(({ body }) => body).map((operation) => [operation.route, operation] as const),
)('%s', (_route, operation) => {
  it('returns a documented response for any body', async () => {
    const testStore = await createTestStore();
    const known = topLevelFields(operation.body!, { io: 'input', unrepresentable: 'any' });
    const body = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(fc.oneof(fc.constantFrom(...known), fc.string()), value, { maxKeys: 8 }),
    );
    await fc.assert(
      fc.asyncProperty(body, async (sent) => void (await send(operation, testStore, '', sent))),
      { numRuns: 60 },
    );
  });
});

describe.each(
  operations.filter(({ query }) => query).map((operation) => [operation.route, operation] as const),
)('%s', (_route, operation) => {
  it('returns a documented response for any query', async () => {
    const testStore = await sharedStore();
    const name = fc.oneof(fc.constantFrom(...operation.query!.names), fc.string());
    const text = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom(
        'name:a;active:1',
        'created_at:2031-01-01',
        '1,2',
        'id;name',
        '%',
        '_',
        '"',
        '0x1',
        '1e3',
      ),
      fc.integer().map(String),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(name, text), { maxLength: 5 }), async (pairs) => {
        const query = new URLSearchParams(pairs.map(([key, one]) => [key, one.toWellFormed()]));
        await send(operation, testStore, `?${query.toString()}`);
      }),
      { numRuns: 60 },
    );
  });
});
