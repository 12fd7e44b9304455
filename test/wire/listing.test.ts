import { describe, expect, expectTypeOf, it } from 'vitest';
import { anyOf, contains, equals, listing } from '../../src/wire/listing.ts';
import type { Listing } from '../../src/wire/listing.ts';
import { inZone } from '../../src/wire/zone.ts';
import { fieldErrors } from '../../src/wire/errors.ts';

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
const read = (query: Query) => inZone('America/Sao_Paulo', () => list.schema.safeParse(query));
const where = (query: Query) => {
  const result = read(query);
  return result.success ? result.data.where : fieldErrors(result.error);
};

describe('a list without parameters', () => {
  it('is the first page by id', () => {
    expect(read({}).data).toEqual({
      page: 1,
      perPage: 10,
      order: [{ column: 'id', descending: false }],
      where: { all: [] },
      includes: [],
    });
    expect(listing({ perPage: 100 }).schema.parse({}).perPage).toBe(100);
  });
  it('names its columns in its type', () => {
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
    [{ page: '2147483647', limit: '101' }, [2147483647, 100]],
    [{ limit: '9'.repeat(30) }, [1, 100]],
  ])('%j', (query, expected) => {
    const { page, perPage } = read(query).data!;
    expect([page, perPage]).toEqual(expected);
  });
  it.each([['0'], ['-1'], [''], ['1.5'], ['x'], ['1e3'], [' 1'], ['+1']])(
    '%j is refused',
    (value) => {
      const sentence = ['Must be a whole number from 1.'];
      expect(where({ page: value, limit: value })).toEqual({ page: sentence, limit: sentence });
    },
  );
  it('refuses pages above the largest, and parameters sent twice', () => {
    expect(where({ page: '2147483648', limit: ['1', '2'] })).toEqual({
      page: ['Must be a whole number from 1 to 2,147,483,647.'],
      limit: ['Must be sent once.'],
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
  ])('%j', (query, columns, descending) => {
    expect(read(query as Query).data?.order).toEqual(
      columns.map((column) => ({ column, descending })),
    );
  });
  it('refuses other columns and directions', () => {
    const sentence = ['Must name one of id, name, active, created_at, updated_at.'];
    expect(where({ orderBy: 'name;slug' })).toEqual({ orderBy: sentence });
    expect(where({ orderBy: '', sortedBy: 'up' })).toEqual({
      orderBy: sentence,
      sortedBy: ['Must be asc or desc.'],
    });
  });
});

describe('date', () => {
  it.each([
    ['start_at:2031-03-05', '2031-03-05T03:00:00.000Z', '2031-03-06T03:00:00.000Z'],
    ['created_at:2031-03-05|2031-03-07', '2031-03-05T03:00:00.000Z', '2031-03-08T03:00:00.000Z'],
  ])('%s', (date, from, until) => {
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
  ])('%s is refused', (date) => {
    expect(where({ date })).toEqual({
      date: ['Must be field:YYYY-MM-DD or field:YYYY-MM-DD|YYYY-MM-DD, the earlier first.'],
    });
  });
  it.each([['name:2031-03-05'], ['2031-03-05'], ['']])('%j names no date', (date) => {
    expect(where({ date })).toEqual({
      date: ['Must name one of created_at, updated_at, start_at.'],
    });
  });
});

describe('include, includes and onlyParents', () => {
  it('ignores unknown names of include and refuses those of includes', () => {
    expect(read({ include: 'children, x,children,', includes: 'banners' }).data?.includes).toEqual([
      'children',
      'banners',
    ]);
    const sentence = ['Must be one or more of products, banners.'];
    expect(where({ includes: 'products,x' })).toEqual({ includes: sentence });
    expect(where({ includes: '' })).toEqual({ includes: sentence });
  });
  it('asks for parents', () => {
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
  ])('%j', (query, all) => expect(where(query)).toEqual({ all }));
  it('refuses malformed values under the name of the parameter', () => {
    expect(where({ featured: 'x', brand_id: '1,x', name: ['a', 'b'] })).toEqual({
      featured: ['Must be true or false.'],
      brand_id: ['Must be a positive whole number.'],
      name: ['Must be sent once.'],
    });
  });
});

describe('names and parameters', () => {
  it('name what is known', () => {
    expect(listing().names).toEqual([
      'page',
      'limit',
      'orderBy',
      'sortedBy',
      'search',
      'searchFields',
      'searchJoin',
      'date',
      'include',
      'skipCache',
    ]);
    expect(list.names.slice(10)).toEqual([
      'includes',
      'onlyParents',
      'name',
      'featured',
      'url',
      'brand_id',
      'brand_id[]',
    ]);
  });
  it('describe every parameter once', () => {
    expect(list.parameters.every(({ description }) => description.endsWith('.'))).toBe(true);
    expect(list.parameters.find(({ name }) => name === 'limit')?.schema).toEqual({
      type: 'integer',
      minimum: 1,
      default: 10,
    });
  });
});
