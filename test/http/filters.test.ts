import { beforeAll, describe, expect, it } from 'vitest';
import { filterRefusals, namesOfFilters } from '../../src/http/filter-refusals.ts';
import type { Operation } from '../../src/http/operation.ts';
import { callApi } from '../support/api/client.ts';
import { operations } from '../support/api/operations.ts';
import {
  createCompleteStore,
  pathWithIds,
  type CompleteStore,
} from '../support/fixtures/complete-store.ts';
import { headersFor } from '../support/fixtures/operator.ts';

/** Parameters that choose no records, whose spelling the specification and the guides give. */
const withoutChoice = new Set(
  'page limit cursor after_id orderBy sortedBy search searchFields searchJoin date include includes skipCache'.split(
    ' ',
  ),
);

const lists = operations.filter(({ method, reply }) => method === 'GET' && reply.isList);
const cases = lists.map((operation) => [operation.id, operation] as const);

let shop: CompleteStore;
beforeAll(async () => {
  shop = await createCompleteStore('chosen');
});

async function read(operation: Operation, query: string) {
  const path = pathWithIds(operation, (kind) => shop.ids[kind] ?? 1);
  const store = operation.isStoreScoped ? `/${shop.alias}` : '';
  const headers = await headersFor(operation, shop.headers);
  return callApi('GET', `/v2${store}${path}?${query}`, { headers });
}

const filtersOf = ({ query }: Operation): string[] =>
  (query?.parameters ?? []).map(({ name }) => name).filter((name) => !withoutChoice.has(name));

const fold = (value: unknown) => String(value).toLowerCase();

/** The parameters that take dates or times, with a value of each that begins like one. */
const dateCases = operations.flatMap((operation) =>
  (operation.query?.parameters ?? []).flatMap(({ name, schema: { format } }) => {
    const isDays = name === 'date';
    if (operation.method !== 'GET' || !(isDays || format === 'date' || format === 'date-time'))
      return [];
    const [before, after] = [
      isDays ? 'created_at:' : '',
      format === 'date-time' ? 'T09:04:07' : '',
    ];
    const days = [`2031-03-05${after} 3`, `2031-03-05${after}x`, `2031-02-30${after}`];
    return [[operation.id, name, operation, days.map((day) => before + day)] as const];
  }),
);

it.each(dateCases)(
  '%s refuses a %s that only begins like one, or does not exist',
  async (_id, name, operation, values) => {
    for (const value of values) {
      const { status, body } = await read(operation, `${name}=${encodeURIComponent(value)}`);
      expect([value, status, Object.keys(body.errors)]).toEqual([value, 400, [name]]);
    }
  },
);

describe.each(cases)('%s', (_id, operation) => {
  const filters = filtersOf(operation);

  it('honours each field of its record or refuses it, and never ignores it', async () => {
    const refusalOf = filterRefusals(operation);
    const refusals = operation.reply.recordFields
      .filter((field) => !filters.includes(field))
      .map((field) => refusalOf(field) ?? `${field} is ignored`);
    expect(refusals.filter((refusal) => !/^Must .+\.$/.test(refusal))).toEqual([]);
    const refused = operation.reply.recordFields.find((field) => !filters.includes(field))!;
    const { status, body, headers } = await read(operation, `${refused}=x`);
    expect([status, headers.get('X-Warning')]).toEqual([400, null]);
    expect(body.errors).toEqual({ [refused]: [refusalOf(refused)] });
  });

  it('shows only the records that a filter of a field chooses', async () => {
    const fields = operation.reply.recordFields.filter((field) => filters.includes(field));
    const rows: Record<string, unknown>[] = (await read(operation, 'limit=100')).body.data;
    for (const field of fields) {
      const value = rows.map((row) => row[field]).find((one) => one !== null && one !== undefined);
      if (value === undefined || typeof value === 'object') continue;
      const text = encodeURIComponent(String(value));
      const found = await read(operation, `limit=100&${field}=${text}`);
      expect([field, found.status, found.headers.get('X-Warning')]).toEqual([field, 200, null]);
      // Other files add records of the service meanwhile.
      const most = operation.isStoreScoped
        ? rows.filter((row) => fold(row[field]).includes(fold(value))).length
        : 100;
      const shown: Record<string, unknown>[] = found.body.data;
      // Texts that contain the value are found, too, and of numbers only the same.
      expect(shown.every((row) => fold(row[field]).includes(fold(value)))).toBe(true);
      expect(shown.length).toBeGreaterThan(0);
      expect(shown.length).toBeLessThanOrEqual(most);
    }
  });

  it('refuses a value that no record can have, with all that they can (400)', async () => {
    for (const { name, schema } of operation.query?.parameters ?? []) {
      const { enum: values } = (schema.items ?? schema) as { enum?: unknown[] };
      if (!values || !operation.query?.names.includes(name) || !filtersOf(operation).includes(name))
        continue;
      const refused = await read(operation, `${name}=unpaid`);
      const [message = ''] = (refused.body.errors as Record<string, string[]>)[name] ?? [];
      expect([name, refused.status, message]).toEqual([
        name,
        400,
        expect.stringContaining(`Must be one of ${values.join(', ')}`),
      ]);
      const [first] = values;
      if (
        typeof first !== 'string' ||
        first.length < 3 ||
        !operation.query.names.includes('orderBy')
      )
        continue;
      const near = await read(operation, `${name}=${first}x`);
      expect(near.body.errors[name]).toEqual([
        `Must be one of ${values.join(', ')}; the nearest is ${first}.`,
      ]);
    }
  });

  it('refuses a filter of another list', () => {
    const refusalOf = filterRefusals(operation);
    const known = new Set(operation.query?.names);
    const ignored = namesOfFilters.filter(
      (name) => !known.has(name) && refusalOf(name) === undefined,
    );
    expect(ignored).toEqual([]);
    expect(refusalOf('colour')).toBeUndefined();
  });
});

it('knows the filters of all lists', () => {
  const all = lists.flatMap((operation) => [
    ...filtersOf(operation),
    ...(operation.query?.names ?? []).filter((name) => ['search', 'date'].includes(name)),
  ]);
  expect(namesOfFilters).toEqual([...new Set(all)].toSorted());
});

describe('a name that resembles a filter', () => {
  const refusalOf = filterRefusals(lists.find(({ id }) => id === 'listOrders')!);
  it.each([
    ['Status', 'Must be sent as status=waiting_payment.'],
    ['customerId', 'Must be sent as customer_id=1.'],
    ['status[ne]', 'Must be sent as status=waiting_payment.'],
    ['filter[status]', 'Must be sent as status=waiting_payment.'],
    ['status__in', 'Must be sent as status=waiting_payment.'],
    ['ids', 'Must be sent as id=1.'],
    ['limit[]', 'Must be sent as limit=10.'],
    ['page[number]', 'Must be sent as page=1.'],
    ['created_at_min', 'Must be sent as date=created_at:2031-03-05.'],
    ['created_at[gte]', 'Must be sent as date=created_at:2031-03-05.'],
    [
      'from',
      expect.stringMatching(
        /^Must not be sent: this list is filtered by id, .*status.*, search, date, as in id=1\.$/,
      ),
    ],
    ['utm_source', expect.stringMatching(/^Must not be sent/)],
    ['utm_id', undefined],
    ['colour', undefined],
    ['_', undefined],
    ['', undefined],
  ])('%j is refused with %j', (name, refusal) => {
    expect(refusalOf(name)).toEqual(refusal);
  });
});
