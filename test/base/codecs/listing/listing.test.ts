import { describe, expect, expectTypeOf, it } from 'vitest';
import { toFieldErrors } from '../../../../src/base/codecs/field-errors.ts';
import { runInZone } from '../../../../src/base/codecs/fields/zone.ts';
import {
  anyOf,
  contains,
  equals,
  listing,
  type Listing,
} from '../../../../src/base/codecs/listing/listing.ts';

const list = listing({
  sort: ['name', 'active'],
  search: {
    name: 'text',
    slug: 'text',
    type: 'word',
    brand_id: 'id',
    active: 'bool',
    price: 'money',
    rating: 'number',
  },
  dates: ['start_at'],
  includes: ['parent', 'children'],
  closedIncludes: ['products', 'banners'],
  parents: 'parent_id',
  filters: {
    name: contains('name'),
    featured: equals('featured', 'bool'),
    url: equals('url', 'exact'),
    brand_id: anyOf('brand_id', 'id'),
  },
});

type Query = Record<string, string | string[]>;
const read = (query: Query) => runInZone('America/Sao_Paulo', () => list.schema.safeParse(query));
const where = (query: Query) => {
  const result = read(query);
  return result.success ? result.data.where : toFieldErrors(result.error);
};

describe('a list without parameters', () => {
  it('returns the first page by id', () => {
    expect(read({}).data).toEqual({
      page: 1,
      perPage: 10,
      order: [{ column: 'id', descending: false }],
      where: { all: [] },
      includes: [],
    });
    expect(listing({ perPage: 100 }).schema.parse({}).perPage).toBe(100);
  });
  it('has its columns in its type', () => {
    expectTypeOf<ReturnType<typeof list.schema.parse>>().toEqualTypeOf<
      Listing<
        | 'id'
        | 'created_at'
        | 'updated_at'
        | 'name'
        | 'active'
        | 'slug'
        | 'type'
        | 'brand_id'
        | 'price'
        | 'rating'
        | 'start_at'
        | 'parent_id'
        | 'featured'
        | 'url'
      >
    >();
    expectTypeOf<ReturnType<ReturnType<typeof listing>['schema']['parse']>>().not.toBeAny();
  });
});

describe('page and limit', () => {
  it.each([
    [{ page: '3', limit: '25' }, [3, 25]],
    [{ page: '100', limit: '101' }, [100, 100]],
    [{ page: '1000' }, [1000, 10]],
    [{ limit: '9'.repeat(30) }, [1, 100]],
  ])('parses %j', (query, expected) => {
    const { page, perPage } = read(query).data!;
    expect([page, perPage]).toEqual(expected);
  });
  it.each([['0'], ['-1'], [''], ['1.5'], ['x'], ['1e3'], [' 1'], ['+1']])('rejects %j', (value) => {
    const message = ['Must be a whole number from 1.'];
    expect(where({ page: value, limit: value })).toEqual({ page: message, limit: message });
  });
  it.each([
    ['1001', 1_001],
    ['9'.repeat(200), Number.MAX_SAFE_INTEGER],
  ])('takes page %j, which may lie past the end of the list', (page, expected) => {
    expect(read({ page }).data?.page).toBe(expected);
  });
  it('rejects repeated parameters', () => {
    expect(where({ limit: ['1', '2'] })).toEqual({ limit: ['Must be sent once.'] });
  });
  it('takes a cursor instead of a page', () => {
    expect(read({ cursor: 'v1.a-_' }).data?.cursor).toBe('v1.a-_');
    expect(where({ cursor: 'v1.a', page: '1' })).toEqual({
      page: ['Must not be sent with a cursor.'],
    });
    expect(where({ cursor: 'ü' })).toEqual({
      cursor: ['Must be the cursor of a link in meta.pagination.links.'],
    });
  });
});

describe('orderBy and sortedBy', () => {
  it.each([
    [{ orderBy: 'name' }, ['name', 'id'], false],
    [{ orderBy: 'name;created_at', sortedBy: 'DESC' }, ['name', 'created_at', 'id'], true],
    [{ orderBy: 'name;name' }, ['name', 'id'], false],
    [{ orderBy: 'active;id;name', sortedBy: 'asc' }, ['active', 'id'], false],
    [{ sortedBy: 'desc' }, ['id'], true],
  ])('parses %j', (query, columns, descending) => {
    expect(read(query as Query).data?.order).toEqual(
      columns.map((column) => ({ column, descending })),
    );
  });
  it('rejects other columns and directions', () => {
    const message = ['Must name one of id, name, active, created_at, updated_at.'];
    expect(where({ orderBy: 'name;slug' })).toEqual({ orderBy: message });
    expect(where({ orderBy: '', sortedBy: 'up' })).toEqual({
      orderBy: message,
      sortedBy: ['Must be asc or desc.'],
    });
  });
});

describe('date', () => {
  it.each([
    ['start_at:2031-03-05', '2031-03-05T03:00:00.000Z', '2031-03-06T03:00:00.000Z'],
    ['created_at:2031-03-05|2031-03-07', '2031-03-05T03:00:00.000Z', '2031-03-08T03:00:00.000Z'],
  ])('parses %s', (date, from, until) => {
    const column = date.split(':')[0];
    const range = { from: Date.parse(from), until: Date.parse(until) };
    expect(where({ date })).toEqual({ all: [{ column, is: 'between', ...range }] });
  });
  it.each([
    ['start_at:'],
    ['start_at:2031-02-30'],
    ['start_at:2031-03-05|2031-03-04'],
    ['start_at:2031-03-05|'],
    ['start_at:2031-03-05|2031-03-06|2031-03-07'],
  ])('rejects %s', (date) => {
    expect(where({ date })).toEqual({
      date: ['Must be field:YYYY-MM-DD or field:YYYY-MM-DD|YYYY-MM-DD, the earlier first.'],
    });
  });
  it.each([['name:2031-03-05'], ['2031-03-05'], ['']])(
    'rejects %j, which names no date column',
    (date) => {
      expect(where({ date })).toEqual({
        date: ['Must name one of created_at, updated_at, start_at.'],
      });
    },
  );
});

describe('include, includes and onlyParents', () => {
  it('ignores unknown names in include and rejects them in includes', () => {
    expect(read({ include: 'children, x,children,', includes: 'banners' }).data?.includes).toEqual([
      'children',
      'banners',
    ]);
    const message = ['Must be one or more of products, banners.'];
    expect(where({ includes: 'products,x' })).toEqual({ includes: message });
    expect(where({ includes: '' })).toEqual({ includes: message });
  });
  it('take their lists in brackets, too', () => {
    const query = { 'include[]': ['parent', 'children'], 'includes[]': 'products' };
    expect(read(query).data?.includes).toEqual(['parent', 'children', 'products']);
    const order = read({ orderBy: 'name', 'orderBy[]': 'active' }).data?.order;
    expect(order?.map(({ column }) => column)).toEqual(['name', 'active', 'id']);
    const dates = { 'date[start_at]': '2031-03-05', date: 'created_at:2031-03-05' };
    expect(where(dates)).toEqual({ date: ['Must be sent once.'] });
    expect(where({ 'date[start_at]': '2031-03-05' })).toEqual(
      where({ date: 'start_at:2031-03-05' }),
    );
  });
  it('adds a condition for onlyParents', () => {
    expect(where({ onlyParents: '1' })).toEqual({ all: [{ column: 'parent_id', is: 'null' }] });
    expect(where({ onlyParents: 'false' })).toEqual({ all: [] });
    expect(where({ onlyParents: 'yes' })).toEqual({ onlyParents: ['Must be true or false.'] });
  });
});

describe('filters', () => {
  it.each<[Query, unknown[]]>([
    [{ name: 'São' }, [{ column: 'name', is: 'contains', text: 'sao' }]],
    [{ name: '' }, []],
    [{ featured: '0' }, [{ column: 'featured', is: 'equals', value: false }]],
    [{ url: 'https://É.com' }, [{ column: 'url', is: 'equals', value: 'https://É.com' }]],
    [{ brand_id: '1,2' }, [{ column: 'brand_id', is: 'in', values: [1, 2] }]],
    [{ 'brand_id[]': ['1', '2'] }, [{ column: 'brand_id', is: 'in', values: [1, 2] }]],
    [{ 'brand_id[]': '3', skipCache: 'x' }, [{ column: 'brand_id', is: 'in', values: [3] }]],
    [
      { brand_id: ['1', '2,3'], 'brand_id[]': '4' },
      [{ column: 'brand_id', is: 'in', values: [1, 2, 3, 4] }],
    ],
    // Fields of the search are filters, too.
    [{ slug: 'Sol' }, [{ column: 'slug', is: 'contains', text: 'sol' }]],
    [
      { active: 'true', type: 'A,b' },
      [
        { column: 'type', is: 'in', values: ['a', 'b'] },
        { column: 'active', is: 'equals', value: true },
      ],
    ],
    [{ id: '7' }, [{ column: 'id', is: 'in', values: [7] }]],
  ])('parses %j', (query, all) => expect(where(query)).toEqual({ all }));
  it('rejects malformed values under the name of the parameter', () => {
    expect(where({ featured: 'x', brand_id: '1,x', name: ['a', 'b'] })).toEqual({
      featured: ['Must be true or false.'],
      brand_id: ['Must be a positive whole number.'],
      name: ['Must be sent once.'],
    });
  });
});

describe('names and parameters', () => {
  it('list all known names', () => {
    expect(listing().names.filter((name) => !name.endsWith(']'))).toEqual([
      'page',
      'cursor',
      'limit',
      'orderBy',
      'sortedBy',
      'search',
      'searchFields',
      'searchJoin',
      'date',
      'include',
      'skipCache',
      'id',
    ]);
    expect(list.names.slice(11, 26)).toEqual([
      'includes',
      'onlyParents',
      'id',
      'name',
      'slug',
      'type',
      'brand_id',
      'active',
      'price',
      'rating',
      'featured',
      'url',
      'id[]',
      'type[]',
      'brand_id[]',
    ]);
    const bracketed = ['include[]', 'orderBy[]', 'search[]', 'search[slug]', 'date[start_at]'];
    expect(list.names).toEqual(expect.arrayContaining(bracketed));
  });
  it('document every parameter once', () => {
    expect(list.parameters.every(({ description }) => description.endsWith('.'))).toBe(true);
    expect(list.parameters.find(({ name }) => name === 'limit')?.schema).toEqual({
      type: 'integer',
      minimum: 1,
      default: 10,
    });
  });
});
