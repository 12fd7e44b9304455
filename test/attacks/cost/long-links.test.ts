import { describe, expect, it } from 'vitest';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';

describe('the Link header of a list', () => {
  const long = 'x'.repeat(14_000);

  it('attack: is left out beyond 4 KB, whatever the caller added to the address; the body has the same links', async () => {
    const { api } = await createTestStore();
    for (const name of ['A', 'B', 'C']) await api('POST /catalog/brands', { name, active: true });
    const read = async (filler: string) => {
      const { body, headers } = await api(`GET /catalog/brands?limit=1&page=2&${filler}`);
      return { links: body.meta.pagination.links, header: headers.get('Link') };
    };
    const { header } = await read('x=1');
    expect(header).toMatch(/^<.*>; rel="next", <.*>; rel="prev"$/);
    for (const filler of [`x=${long}`, `name=&x=${long}`, `x=${'%C3%A9'.repeat(2_000)}`]) {
      const { links, header: none } = await read(filler);
      expect(none).toBeNull();
      expect(links.next).toContain(filler.slice(-2_000));
    }
  });

  it('attack: is left out beyond 4 KB of a list by cursors, too', async () => {
    const { api } = await createTestStore();
    for (const name of ['A', 'B']) {
      await api('PUT /config/settings', { cart_idle_minutes: name === 'A' ? 50 : 40 });
    }
    const short = await api('GET /audit?limit=1&x=1');
    expect(short.headers.get('Link')).toContain('rel="next"');
    const { body, headers } = await api(`GET /audit?limit=1&x=${long}`);
    expect(headers.get('Link')).toBeNull();
    expect(body.meta.cursor.next).not.toBe('');
  });

  it('attack: is left out beyond 4 KB under a former alias of the store', async () => {
    const { id, api } = await createTestStore();
    const operator = await createTestOperator();
    const alias = `n${crypto.randomUUID().slice(0, 12)}`;
    await operator.api(`POST /operator/stores/${id}/rename`, { alias });
    const links = async (filler: string) =>
      (await api(`GET /catalog/brands?${filler}`)).headers.get('Link');
    expect(await links('x=1')).toContain(`/v2/${alias}/catalog/brands?x=1>; rel="canonical"`);
    expect(await links(`x=${long}`)).toBeNull();
  });
});
