import { describe, expect, it } from 'vitest';
import { runInZone } from '../../../src/base/codecs/fields/zone.ts';
import { invalidBodyStatus, type Operation } from '../../../src/http/operation.ts';
import { bodyFields } from '../../properties/body-fields.ts';
import { callApi } from '../../support/api/client.ts';
import type { ApiResponse } from '../../support/api/conform.ts';
import { hasTolerantItems, operations } from '../../support/api/operations.ts';
import { publishedBody } from '../../support/api/published-body.ts';
import { headersFor } from '../../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { shared } from '../../support/shared.ts';
import { kindsFor } from '../../support/slow.ts';

const operationsWithBody = operations.filter(({ body }) => body);

const maxAnswer = 65_536;
const zeros = Array.from({ length: 130_000 }, () => 0);

const marks = ['\u0301'.repeat(1_000)];

const manyMembers = JSON.stringify(
  Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`\u0001x${index}`.repeat(9), 0])),
);
const deepLists = `{"name":${'['.repeat(10_000)}${']'.repeat(10_000)}}`;
const deepObjects = `{"name":${'{"a":'.repeat(10_000)}0${'}'.repeat(10_000)}}`;
const cutOff = `{${zeros.map((zero, index) => `"k${index}":${zero}`).join()}}`.slice(0, 1_000_000);

/** A store in which the bodies change nothing. */
const sharedStore = shared(() => createTestStore());

const send = async (
  operation: Operation,
  { alias, headers }: TestStore,
  raw: string,
  more: Record<string, string> = {},
): Promise<ApiResponse> => {
  const path = operation.path.replace('{alias}', alias).replaceAll(/\{\w+\}/g, '1');
  return callApi(operation.method, `/v2${path}`, {
    headers: { ...(await headersFor(operation, headers)), ...more },
    raw,
  });
};

const messagesOf = ({ body }: ApiResponse) => Object.values(body.errors ?? {}).flat();

function expectSmallAnswer(response: ApiResponse) {
  expect(JSON.stringify(response.body).length).toBeLessThanOrEqual(maxAnswer);
  expect(messagesOf(response).length).toBeLessThanOrEqual(101);
}

/** A body whose fields all hold the same value. */
const everyField = (operation: Operation, value: unknown) =>
  JSON.stringify(
    Object.fromEntries(
      [...bodyFields(publishedBody(operation))]
        .filter(({ field }) => !field.includes('.'))
        .map(({ field }) => [field, value]),
    ),
  );

describe('a long list in a body is rejected by its length', () => {
  it.each(operationsWithBody.map((operation) => [operation.route, operation] as const))(
    'in every field of %s, with few issues',
    (_route, operation) => {
      for (const { field, build } of bodyFields(publishedBody(operation))) {
        // Rejected in the answer about its item.
        const isTolerated = hasTolerantItems(operation) && field.startsWith('items.');
        const parse = (list: unknown) =>
          runInZone('UTC', () => operation.body!.safeParse(build(list)));
        expect(parse(zeros).success, field).toBe(isTolerated);
        for (const list of [zeros, { data: zeros }]) {
          expect(parse(list).error?.issues.length ?? 0, field).toBeLessThan(20);
        }
      }
    },
  );

  it('returns 422 with one message for 130,000 zeros in categories_ids', async () => {
    const { api } = await createTestStore();
    const product = { name: 'Produto', simple: true, active: true, brand_id: 1 };
    const response = await api('POST /catalog/products', { ...product, categories_ids: zeros });
    expect(response.status).toBe(422);
    expect(response.body.errors).toEqual({ categories_ids: ['Must contain at most 1,000 ids.'] });
  });
});

describe('an invalid body has a short answer', () => {
  it.each(operationsWithBody.map((operation) => [operation.route, operation] as const))(
    'of %s, whatever its lists, texts, levels and members',
    async (_route, operation) => {
      const testStore = await sharedStore();
      const invalid = invalidBodyStatus(operation);
      const bodies: [status: number, raw: string][] = [
        [invalid, everyField(operation, zeros.slice(0, 3_000))],
        hasTolerantItems(operation)
          ? [200, JSON.stringify({ items: marks })]
          : [invalid, everyField(operation, marks)],
        [invalid, manyMembers],
        [400, deepLists],
        [400, deepObjects],
        [400, cutOff],
      ];
      for (const [status, raw] of kindsFor(operation, operationsWithBody, bodies)) {
        const response = await send(operation, testStore, raw, { Prefer: 'handling=strict' });
        expect([response.status, raw.slice(0, 60)]).toEqual([status, raw.slice(0, 60)]);
        expectSmallAnswer(response);
      }
    },
  );

  it('returns 422 with the first hundred messages, and says under * how many remain', async () => {
    const { api } = await createTestStore();
    const names = Array.from({ length: 2_345 }, (_, index) => [`field${index}`, 0]);
    const body = { name: 'Marca', active: true, ...Object.fromEntries(names) };
    const strict = await api('POST /catalog/brands', body, { Prefer: 'handling=strict' });
    expect(strict.status).toBe(422);
    expect(Object.keys(strict.body.errors)).toHaveLength(101);
    expect(strict.body.errors['*']).toEqual(['Leaves out 2,245 more errors.']);
    const accepted = await api('POST /catalog/brands', body);
    expect(accepted.status).toBe(201);
    expect(accepted.headers.get('X-Warning')!.length).toBeLessThan(1_000);
  });

  it('ignores members that are named like those of every object', async () => {
    const testStore = await createTestStore();
    const createBrand = operationsWithBody.find(({ id }) => id === 'createBrand')!;
    const raw = '{"__proto__":{"name":"a"},"constructor":{"prototype":{}},"active":true}';
    const response = await send(createBrand, testStore, raw);
    expect([response.status, response.body.errors]).toEqual([422, { name: ['Required.'] }]);
  });

  it('returns 400 for long lists in queries, without reading their items', async () => {
    const { api } = await createTestStore();
    const names = ['brand_id', 'category_id', 'search', 'searchFields', 'include'] as const;
    for (const name of names) {
      const response = await api(`GET /catalog/products?${name}=${'1,'.repeat(10_000)}`);
      expect([name, response.status]).toEqual([name, 400]);
      expectSmallAnswer(response);
    }
    const repeated = await api(`GET /catalog/products?${'brand_id[]=0&'.repeat(1_000)}`);
    expect([repeated.status, messagesOf(repeated)]).toEqual([
      400,
      ['Must contain at most 100 values.'],
    ]);
  });
});
