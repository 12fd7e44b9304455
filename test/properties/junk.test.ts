import fc from 'fast-check';
import { describe, it } from 'vitest';
import { z } from 'zod';
import type { Operation } from '../../src/http/operation.ts';
import { sections } from '../../src/operations.ts';
import { call } from '../support/api.ts';
import { store, type TestStore } from '../support/store.ts';

const operations = sections.flatMap((section) => section.operations);

/** `call` checks each answer against the document, and the document knows no 500. */
const ask = (row: Operation, shop: TestStore, query: string, body?: unknown) =>
  call(
    row.verb,
    `/v2${row.path.replace('{alias}', shop.alias).replaceAll(/\{\w+\}/g, '1')}${query}`,
    { headers: shop.headers, ...(body !== undefined && { body }) },
  );

/** Values that break careless code, beside whatever JSON there is. */
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

function namesOf(row: Operation): string[] {
  const schema = z.toJSONSchema(row.body!, { io: 'input', unrepresentable: 'any' });
  return Object.keys(schema.properties ?? {});
}

describe.each(operations.filter(({ body }) => body).map((row) => [row.route, row] as const))(
  '%s',
  (_route, row) => {
    it('answers any body as documented', async () => {
      const shop = await store();
      const known = namesOf(row);
      const body = fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.oneof(fc.constantFrom(...known), fc.string()), value, { maxKeys: 8 }),
      );
      await fc.assert(
        fc.asyncProperty(body, async (sent) => void (await ask(row, shop, '', sent))),
        { numRuns: 60 },
      );
    });
  },
);

describe.each(operations.filter(({ query }) => query).map((row) => [row.route, row] as const))(
  '%s',
  (_route, row) => {
    it('answers any query as documented', async () => {
      const shop = await store();
      const name = fc.oneof(fc.constantFrom(...row.query!.names), fc.string());
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
          await ask(row, shop, `?${query.toString()}`);
        }),
        { numRuns: 60 },
      );
    });
  },
);
