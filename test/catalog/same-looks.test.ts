import { describe, expect, it } from 'vitest';
import { sampleAddress, sampleCustomer } from '../support/fixtures/sample-data.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';

async function createShop() {
  const shop = await createTestStore();
  const brand = await shop.api('POST /catalog/brands', { name: 'L’Oréal\u2011Sol', active: true });
  const create = async (name: string, fields: object = {}) => {
    const product = { name, simple: false, active: true, brand_id: brand.body.data.id, ...fields };
    const { status, body } = await shop.api('POST /catalog/products', product);
    expect(status, JSON.stringify(body)).toBe(201);
    return body.data;
  };
  return { ...shop, create };
}

/** The values of a field of the records that a list finds. */
const found = async ({ api }: Pick<TestStore, 'api'>, path: string, field: string) => {
  const { status, body } = await api(`GET ${path}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.data.map((record: Record<string, unknown>) => record[field]);
};

describe('two codes that look the same', () => {
  it('are one SKU: stored as one, unique, and named by either in a bulk change', async () => {
    const shop = await createShop();
    const product = await shop.create('Camisa');
    const path = `POST /catalog/products/${product.id}/skus`;
    const sku = (code: string) => ({
      sku: code,
      price_sale: 10,
      quantity: 3,
      barcode: '789\u200e1',
    });
    const first = await shop.api(path, sku('AB\u200bC\u20111'));
    expect(first.body.data).toMatchObject({ sku: 'ABC-1', barcode: '7891' });
    for (const same of [
      'ABC-1',
      'abc\u22121',
      '\uff21\uff22\uff23\uff0d\uff11',
      'ABC\u00ad\u20131\u00a0',
    ]) {
      const { status, body } = await shop.api(path, sku(same));
      expect([status, body.errors]).toEqual([422, { sku: ['Already taken.'] }]);
      const items = [{ sku: same, quantity: 5 }];
      const { body: changed } = await shop.api('PUT /catalog/stocks', { items });
      expect(changed.data[0], same).toMatchObject({ sku_id: first.body.data.id });
      const list = `/catalog/products/${product.id}/skus?search=sku:${encodeURIComponent(same)}`;
      expect(await found(shop, list, 'sku')).toEqual(['ABC-1']);
    }
  });

  it('are one name of a brand', async () => {
    const { api } = await createShop();
    const { status, body } = await api('POST /catalog/brands', {
      name: "l'oréal-sol",
      active: true,
    });
    expect([status, body.errors]).toEqual([422, { name: ['Already taken.'] }]);
  });

  it('are one document, phone, postal code and state of a customer, wherever they are looked up', async () => {
    const shop = await createTestStore();
    const { body } = await shop.api('POST /customers', {
      ...sampleCustomer,
      cpf: '529\u2024982.247\u201125'.replace('\u2024', '.'),
      phone: '+55\u00a0(11)\u202f91234\u20115678',
      addresses: [{ ...sampleAddress, zipcode: '01310\u2013100', state: '\uff53\uff50' }],
    });
    expect(body.data).toMatchObject({ cpf: '52998224725', phone: '+5511912345678' });
    const search = (text: string) => `search=${encodeURIComponent(text)}`;
    for (const text of [
      'cpf:529.982.247-25',
      'cpf:52998224725',
      'cpf:529.982.247\u201125\u200b',
      'phone:+55 11 91234-5678',
      'phone:+5511912345678',
    ]) {
      expect(await found(shop, `/customers?${search(text)}`, 'id'), text).toEqual([body.data.id]);
    }
    for (const text of ['cpf:529.982.247-24', 'phone:11 91234-5678']) {
      expect(await found(shop, `/customers?${search(text)}`, 'id'), text).toEqual([]);
    }
    const addresses = `/customers/${body.data.id}/addresses`;
    for (const text of ['zipcode:01310-100', 'zipcode:01310100', 'state:sp', 'country:br']) {
      expect(await found(shop, `${addresses}?${search(text)}`, 'city'), text).toEqual([
        'São Paulo',
      ]);
    }
  });

  it('are one e-mail address, whichever way its host is spelled', async () => {
    const shop = await createTestStore();
    const { body } = await shop.api('POST /customers', {
      ...sampleCustomer,
      email: 'Max@Müller.example',
    });
    expect(body.data.email).toBe('Max@xn--mller-kva.example');
    for (const email of [
      'max@müller.example',
      'max@xn--mller-kva.example',
      'max@mu\u0308ller。example',
    ]) {
      const again = await shop.api('POST /customers', { ...sampleCustomer, email });
      expect([again.status, again.body.errors], email).toEqual([
        422,
        { email: ['Already taken.'] },
      ]);
      const text = encodeURIComponent(email);
      expect(await found(shop, `/customers?q=${text}`, 'id'), email).toEqual([body.data.id]);
      expect(await found(shop, `/customers?search=email:${text}`, 'id'), email).toEqual([
        body.data.id,
      ]);
    }
    expect(await found(shop, '/customers?q=M%C3%9CLL', 'id')).toEqual([body.data.id]);
    for (const email of ['a..b@x.example', '.a@x.example', 'a.@x.example', 'josé@x.example']) {
      const refused = await shop.api('POST /customers', { ...sampleCustomer, email });
      expect([refused.status, refused.body.errors], email).toEqual([
        422,
        { email: ['Must be an e-mail address.'] },
      ]);
    }
  });
});

describe('a search', () => {
  it('finds what people type for letters and signs that keyboards lack, and keeps what is stored', async () => {
    const shop = await createShop();
    const cases: readonly (readonly [name: string, ...typed: string[]])[] = [
      ['Caixa d’Água', "d'agua", 'D`ÁGUA', 'd´água', 'dʼagua'],
      ['Suporte nº 5', 'no 5', 'n° 5', '№ 5', 'Nº 5'],
      ['Straße', 'strasse', 'STRASSE', 'straße'],
      ['Guarda\u2011chuva', 'guarda-chuva', 'guarda–chuva'],
      ['ﬁltro œuvre', 'filtro oeuvre', 'FILTRO ŒUVRE'],
      ['Łódź Æon', 'lodz aeon', 'łódź æon'],
      ['ＳＯＬ　１', 'sol 1'],
      ['Painel 10×15', '10x15'],
    ];
    for (const [name] of cases) await shop.create(name);
    for (const [name, ...typed] of cases) {
      for (const text of [name, ...typed]) {
        const q = encodeURIComponent(text);
        for (const query of [
          `q=${q}`,
          `name=${q}`,
          `search=${q}`,
          `search=name:${q}`,
          `search=name:${q}&searchFields=name:like`,
        ]) {
          expect(await found(shop, `/catalog/products?${query}`, 'name'), query).toEqual([name]);
        }
      }
    }
    const sorted = await found(shop, '/catalog/products?orderBy=name', 'name');
    expect(sorted).toEqual([
      'Caixa d’Água',
      'ﬁltro œuvre',
      'Guarda\u2011chuva',
      'Łódź Æon',
      'Painel 10×15',
      'ＳＯＬ　１',
      'Straße',
      'Suporte nº 5',
    ]);
  });
});

describe('a slug', () => {
  it('returns 422 if it was sent and has no usable character, and is made of a name in Latin letters', async () => {
    const { api, create } = await createShop();
    for (const slug of ['كتاب', '日本', '---', '!']) {
      const { status, body } = await api('POST /catalog/categories', {
        name: 'Livros',
        active: true,
        slug,
      });
      expect([status, body.errors], slug).toEqual([
        422,
        { slug: ['Must have letters from a to z or digits, such as blue-t-shirt.'] },
      ]);
    }
    for (const slug of [undefined, null, '', '\u200b']) {
      const { body } = await api('POST /catalog/categories', { name: 'كتاب', active: true, slug });
      expect(body.slug, String(slug)).toMatch(/^category(-\d)?$/);
    }
    for (const [name, slug] of [
      ['Łódź', 'lodz'],
      ['Æon', 'aeon'],
      ['Straße', 'strasse'],
      ['Đồng', 'dong'],
    ] as const) {
      expect((await create(name)).slug).toBe(slug);
      expect((await create('x', { slug: `${name} 2!` })).slug).toBe(`${slug}-2`);
    }
  });
});

describe('a description with tags', () => {
  it('has a line for each block, and one line where a field has only one', async () => {
    const { api } = await createTestStore();
    const html = '<p>Camisa</p><p>Azul</p><ul><li>P</li><li>M</li></ul>Preto<br>Branco';
    const { body } = await api('POST /catalog/categories', {
      name: html,
      description: html,
      active: true,
    });
    expect(body).toMatchObject({
      name: 'Camisa Azul P M Preto Branco',
      description: 'Camisa\nAzul\nP\nM\nPreto\nBranco',
      slug: 'camisa-azul-p-m-preto-branco',
    });
  });
});
