import { describe, expect, it } from 'vitest';
import { toFieldErrors } from '../../../../src/base/codecs/field-errors.ts';
import { listing } from '../../../../src/base/codecs/listing/listing.ts';

const list = listing({
  search: {
    name: 'text',
    slug: 'text',
    type: 'word',
    brand_id: 'id',
    active: 'bool',
    price: 'money',
    rating: 'number',
  },
});

type Query = Record<string, string | string[]>;
const where = (query: Query) => {
  const result = list.schema.safeParse(query);
  return result.success ? result.data.where : toFieldErrors(result.error);
};

describe('search', () => {
  const equal = (column: string, value: unknown) => ({ column, is: 'equals', value });
  const contain = (column: string, text: string) => ({ column, is: 'contains', text });
  it.each<[Query, unknown]>([
    [{ search: 'name:São' }, { all: [contain('name', 'sao')] }],
    [{ search: 'name:a:b%' }, { all: [contain('name', 'a:b%')] }],
    [{ search: 'id:7' }, { all: [equal('id', 7)] }],
    [{ search: 'active:1' }, { all: [equal('active', true)] }],
    [{ search: 'type:Select' }, { all: [equal('type', 'select')] }],
    [{ search: 'price:10.5' }, { all: [equal('price', 1050)] }],
    [{ search: 'rating:-4.25' }, { all: [equal('rating', -4.25)] }],
    [{ search: 'Blue' }, { all: [{ any: [contain('name', 'blue'), contain('slug', 'blue')] }] }],
    [{ search: 'name:a;brand_id:2' }, { all: [contain('name', 'a'), equal('brand_id', 2)] }],
    [
      { search: 'name:a;brand_id:2', searchJoin: 'OR' },
      { any: [contain('name', 'a'), equal('brand_id', 2)] },
    ],
    [{ search: 'name:A', searchFields: 'name:=' }, { all: [equal('name', 'a')] }],
    [
      { search: 'brand_id:1,2,2', searchFields: 'brand_id:in;name:like' },
      { all: [{ column: 'brand_id', is: 'in', values: [1, 2] }] },
    ],
    [
      { search: 'name:A,b', searchFields: 'name:IN' },
      { all: [{ column: 'name', is: 'in', values: ['a', 'b'] }] },
    ],
  ])('parses %j', (query, expected) => expect(where(query)).toEqual({ all: [expected] }));

  const anywhere = (text: string) => ({ any: [contain('name', text), contain('slug', text)] });
  it.each<[string, unknown[], string[]]>([
    ['Kit: azul; grande', [anywhere('kit: azul'), anywhere('grande')], ['Kit']],
    ['name:Kit: azul', [contain('name', 'kit: azul')], []],
    ['name: Kit ;brand_id: 2', [contain('name', 'kit'), equal('brand_id', 2)], []],
    [String.raw`a\;b`, [anywhere('a;b')], []],
    [String.raw`name:a\;b;c`, [contain('name', 'a;b'), anywhere('c')], []],
    [String.raw`name\:azul`, [anywhere('name:azul')], []],
    [String.raw`C:\dir\\;b`, [anywhere(String.raw`c:\dir\ `.trim()), anywhere('b')], ['C!']],
    ['azul;', [anywhere('azul')], []],
    ['http://x.example/a', [anywhere('http://x.example/a')], []],
    ['10:30', [anywhere('10:30')], []],
    ['nme:azul', [anywhere('nme:azul')], ['nme!']],
    ['constructor:red', [anywhere('constructor:red')], ['constructor!']],
  ])('takes %j as text where no field stands before a colon', (search, all, words) => {
    const { where: found, unknownFields = [] } = list.schema.parse({ search });
    expect(found).toEqual({ all: [{ all }] });
    expect(unknownFields.map(({ name, isTight }) => name + (isTight ? '!' : ''))).toEqual(words);
  });

  it('compares with values that have commas', () => {
    const query = { search: String.raw`name:a\,b,c`, searchFields: 'name:in' };
    expect(where(query)).toEqual({
      all: [{ all: [{ column: 'name', is: 'in', values: ['a,b', 'c'] }] }],
    });
  });

  it.each<[Query, unknown[]]>([
    [{ 'search[name]': 'a;b' }, [contain('name', 'a;b')]],
    [
      { search: 'x', 'search[]': ['id:1', 'y'], 'search[active]': '1' },
      [anywhere('x'), equal('id', 1), anywhere('y'), equal('active', true)],
    ],
    [{ 'search[name]': 'a', 'searchFields[name]': '=' }, [equal('name', 'a')]],
  ])('takes %j as pairs of one search', (query, all) =>
    expect(where(query)).toEqual({ all: [{ all }] }),
  );

  const columns = 'Must name one of id, name, slug, type, brand_id, active, price, rating.';
  it.each<[Query, unknown]>([
    [{ search: '' }, { search: ['Must be 1 to 255 characters.'] }],
    [{ search: 'name:' }, { search: ['Must be 1 to 255 characters.'] }],
    [{ search: `name:${'a'.repeat(256)}` }, { search: ['Must be 1 to 255 characters.'] }],
    [{ search: 'brand_id:x' }, { search: ['Must be a positive whole number.'] }],
    [{ search: 'active:yes' }, { search: ['Must be true or false.'] }],
    [{ search: 'rating:x' }, { search: ['Must be a number.'] }],
    [{ search: ';' }, { search: ['Must be 1 to 255 characters.'] }],
    [
      { search: 'a;a;a;a;a;a' },
      { search: [String.raw`Must contain at most 5 values; a ";" in a text is sent as "\;".`] },
    ],
    [
      { searchFields: 'name:=;'.repeat(21) },
      { searchFields: ['Must contain at most 20 conditions.'] },
    ],
    [{ searchFields: 'colour:=' }, { searchFields: [columns] }],
    [
      { searchFields: 'name' },
      { searchFields: ['Must be field:condition, where the condition is like, = or in.'] },
    ],
    [
      { searchFields: 'brand_id:like' },
      { searchFields: ['Must use like only with text columns.'] },
    ],
    [{ searchJoin: 'xor' }, { searchJoin: ['Must be and or or.'] }],
  ])('rejects %j', (query, expected) => expect(where(query)).toEqual(expected));

  it('requires a field name without text columns', () => {
    const result = listing().schema.safeParse({ search: 'x' });
    expect(toFieldErrors(result.error!)).toEqual({ search: ['Must be field:value.'] });
  });
});
