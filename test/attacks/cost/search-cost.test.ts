import { describe, expect, it } from 'vitest';
import { operations } from '../../support/api/operations.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';

const searchable = operations.filter(
  ({ query, pathParams }) => query?.names.includes('search') && pathParams.length === 0,
);
const lists = searchable.filter(({ isStoreScoped }) => isStoreScoped);
const operatorLists = searchable.filter(({ access }) => access === 'operator');

describe('a search takes at most five values', () => {
  it.each(lists.map(({ path }) => path))('and returns 400 for six in %s', async (path) => {
    const { api } = await createTestStore();
    const search = (values: number) =>
      api(`GET ${path.replace('/{alias}', '')}?search=${Array(values).fill('id:1').join(';')}`);
    expect([200, 404]).toContain((await search(5)).status);
    const { status, body } = await search(6);
    expect([status, body.errors]).toEqual([
      400,
      { search: [expect.stringMatching(/^Must contain at most 5 values; /)] },
    ]);
  });

  it('in every list that can be searched, except those of operators', () => {
    expect(searchable).toHaveLength(lists.length + operatorLists.length);
  });
});

describe('a search of operators is one text', () => {
  it.each(operatorLists.map(({ path }) => path))(
    'whatever its separators; returns 400 for a long one in %s',
    async (path) => {
      const { api } = await createTestOperator();
      const found = await api(`GET ${path}?search=${Array(6).fill('id:1').join(';')}`);
      expect([found.status, found.body.data]).toEqual([200, []]);
      const refused = await api(`GET ${path}?search=${'x'.repeat(10_000)}`);
      expect([refused.status, refused.body.errors]).toEqual([
        400,
        { search: ['Must be at most 2,048 characters.'] },
      ]);
    },
  );
});

describe('a URL as a filter', () => {
  const notUrl = 'Must be an absolute http or https URL of at most 2,048 characters.';

  it.each(['external_url', 'canonical_url'])('returns 400 for a malformed %s', async (name) => {
    const { api } = await createTestStore();
    for (const value of ['x', 'javascript:alert(1)', `https://a.b/${'x'.repeat(2_040)}`]) {
      const { status, body } = await api(`GET /catalog/categories?${name}=${value}`);
      expect([status, body.errors]).toEqual([400, { [name]: [notUrl] }]);
    }
    expect((await api(`GET /catalog/categories?${name}=`)).status).toBe(200);
    expect((await api(`GET /catalog/categories?${name}=https://a.b/C`)).status).toBe(200);
  });

  it('returns 422 for a malformed one in a body, where an empty one has no effect', async () => {
    const { api } = await createTestStore();
    const sent = { active: true, external_url: 'x', canonical_url: '' };
    const { status, body } = await api('GET /catalog/categories', sent);
    expect([status, body.errors]).toEqual([
      422,
      { external_url: ['Must be an absolute http or https URL.'] },
    ]);
    const empty = { active: true, external_url: '', canonical_url: null };
    expect((await api('GET /catalog/categories', empty)).status).toBe(200);
  });
});
