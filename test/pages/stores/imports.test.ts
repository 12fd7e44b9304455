import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../../support/browser/browser.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createBrand, productLine, upTo } from '../../support/transfers/catalog.ts';
import { sendImport, workOff } from '../../support/transfers/transfers.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import '../../support/fixtures/first-shard.ts';
import { proposedIn } from './support.ts';

/** A store with the browser of its owner, and the path of its imports. */
async function shop() {
  const store = await createTestStore();
  const browser = await new Browser().signIn(store.userId);
  return { store, browser, path: `/account/stores/${store.alias}/imports` };
}

const csv = (text: string, name = 'products.csv') => new File([text], name);

const table =
  'Nome;Marca;Tamanho;Código;Preço;Estoque;Cor da caixa\n' +
  'Camisa;Ipê;P;C-P;R$ 49,90;3;azul\n' +
  'Camisa;Ipê;M;C-M;49,90;2;\n' +
  'Caneca;;;K-1;barato;1;\n';

const filesOf = async (storeId: number) =>
  (await env.ARCHIVE.list({ prefix: `imports/${storeId}/` })).objects.length;

describe('the page of imports', () => {
  it('takes a spreadsheet, asks what its columns are, and imports it; errors name the row', async () => {
    const { store, browser, path } = await shop();
    expect((await browser.get(path)).text).toContain('Nothing was imported in the last week.');
    const uploaded = await browser.upload(path, csv(table));
    expect(uploaded.status).toBe(303);
    const columnsPath = uploaded.location ?? '';
    const asked = await browser.get(columnsPath);
    expect(asked.text).toContain('3 rows.');
    expect(asked.text).toContain('For example: R$ 49,90');
    const proposed = proposedIn(asked.html);
    expect(Object.values(proposed)).toEqual([
      'name',
      'brand',
      'variation',
      'sku',
      'price_sale',
      'quantity',
      '',
    ]);
    const started = await browser.submit(columnsPath, {
      ...proposed,
      active: 'yes',
      brand: 'Própria',
    });
    expect(started.status).toBe(303);
    const importPath = started.location ?? '';
    const waiting = await browser.get(importPath);
    expect(waiting.text).toContain('0 of 2');
    expect(waiting.html).toContain('<progress value="0" max="2"');
    const id = importPath.split('/').at(-1);
    await workOff(store, `/catalog/imports/${id}`);
    const { body } = await store.api('GET /catalog/products?include=skus,brand');
    expect(body.data).toMatchObject([
      {
        name: 'Camisa',
        skus: {
          data: [
            { sku: 'C-P', price_sale: 49.9, total_in_stock: 3 },
            { sku: 'C-M', price_sale: 49.9, total_in_stock: 2 },
          ],
        },
      },
    ]);
    const named = await store.api('GET /catalog/brands?orderBy=name');
    expect(named.body.data.map(({ name }: { name: string }) => name).toSorted()).toEqual([
      'Ipê',
      'Própria',
    ]);
    const done = await browser.get(importPath);
    expect(done.text).toMatch(/Done 2 of 2/);
    expect(done.html).toContain('class="state warn"');
    // The price of the third product, which stands in row 4.
    expect(done.text).toMatch(/Row 4 Variant: price\s*skus\.0\.price_sale/);
    expect(done.text).toContain('Mend these rows, and upload only them.');
    const portuguese = await browser.get(`${importPath}?lang=pt-BR`);
    expect(portuguese.text).toContain('Deve ser um número de 0 a 99.999.999,99');
    await browser.get(`${importPath}?lang=en`);
    const file = await browser.get(`${importPath}/errors`);
    expect(file.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(file.html).toMatch(/^Row,Field,Problem\n4,skus\.0\.price_sale,/);
    expect((await browser.get(path)).text).toContain('Imports of the last week');
    expect(await filesOf(store.id)).toBe(0);
  });

  it('takes a file of lines at once, and a manager cancels it', async () => {
    const { store, path } = await shop();
    const manager = await addTestMember(store, 'manager');
    const browser = await new Browser().signIn(manager.userId);
    const brand = await createBrand(store);
    await subscribeEndpoint(store, ['product.created', 'catalog.import_completed']);
    const text = upTo(3)
      .map((n) => JSON.stringify(productLine(n, brand)))
      .join('\n');
    const sent = await browser.upload(path, csv(text, 'products.ndjson'), { summary: 'yes' });
    expect(sent.location).toMatch(new RegExp(`^${path}/\\d+$`));
    const cancelled = await browser.submit(sent.location ?? '');
    expect(cancelled.status).toBe(303);
    const shown = await browser.get(sent.location ?? '');
    expect(shown.text).toContain('A member or a program cancelled it.');
    expect(shown.text).toContain('Events One at its end');
    expect(await recordedEvents(store)).toMatchObject([
      {
        event: 'catalog.import_completed',
        resource: {
          state: 'cancelled',
          product_events: false,
          begun_by: { kind: 'user', id: String(manager.userId) },
        },
      },
    ]);
    // The choice of the upload is that of the columns, unless it is changed there.
    const asked = await browser.upload(path, csv(table), { summary: 'yes' });
    expect(asked.location).toMatch(/\?summary=yes$/);
    expect((await browser.get(asked.location ?? '')).html).toMatch(/name="summary"[^>]* checked/);
  });

  it('ends an import whose member has left, and goes on after the member signed out', async () => {
    const { store, path } = await shop();
    const brand = await createBrand(store);
    const text = upTo(3)
      .map((n) => JSON.stringify(productLine(n, brand)))
      .join('\n');
    const [leaving, staying] = [
      await addTestMember(store, 'manager'),
      await addTestMember(store, 'manager'),
    ];
    const ids = [];
    for (const { userId } of [leaving, staying]) {
      const browser = await new Browser().signIn(userId);
      const sent = await browser.upload(path, csv(text));
      ids.push(sent.location?.split('/').at(-1));
      await env.DIRECTORY.prepare('delete from sessions where user_id = ?').bind(userId).run();
    }
    await env.DIRECTORY.prepare('delete from memberships where user_id = ?')
      .bind(leaving.userId)
      .run();
    expect(await workOff(store, `/catalog/imports/${ids[0]}`)).toMatchObject({
      state: 'cancelled',
      reason: 'access_ended',
      done: 0,
    });
    expect(await workOff(store, `/catalog/imports/${ids[1]}`)).toMatchObject({
      state: 'done',
      created: 3,
    });
  });

  it.each([
    ['no file', new File([], ''), 'Choose a file.'],
    ['no rows', csv('name,sku\n'), 'The file has no rows below the headers.'],
    ['too many rows', csv(`name\n${'A\n'.repeat(10_001)}`), 'The file has more than 10,000 rows.'],
    ['too many lines', csv('{}\n'.repeat(10_001)), 'The file has more than 10,000 rows.'],
    ['too many columns', csv(`${'a,'.repeat(100)}\nb\n`), 'The file has more than 100 columns.'],
  ])('returns 422 and keeps nothing for %s', async (_name, file, text) => {
    const { store, browser, path } = await shop();
    const page = await browser.upload(path, file);
    expect(page.status).toBe(422);
    expect(page.html).toContain(`<a href="#file">${text}`);
    expect(await filesOf(store.id)).toBe(0);
  });

  it('returns 413 for a file beyond 8 MB, and 400 for a form that is cut', async () => {
    const { browser, path } = await shop();
    expect((await browser.upload(path, csv('x'.repeat(8_100_000)))).status).toBe(413);
    const headers = {
      'Sec-Fetch-Site': 'same-origin',
      Origin: 'null',
      'Content-Type': 'multipart/form-data; boundary=b',
    };
    expect((await browser.send('POST', path, { headers, body: '--b\r\nhalf' })).status).toBe(400);
  });

  it('returns 415 for a file where no page takes one', async () => {
    const { store } = await shop();
    const browser = await new Browser().signIn(store.userId);
    expect((await browser.upload('/account/keys/new', csv('x'))).status).toBe(415);
  });

  it('returns 409 with five unfinished imports', async () => {
    const { store, browser, path } = await shop();
    const brand = await createBrand(store);
    for (const n of upTo(5)) await sendImport(store, [productLine(n, brand)]);
    const page = await browser.upload(path, csv(JSON.stringify(productLine(6, brand))));
    expect([page.status, page.text]).toEqual([
      409,
      expect.stringContaining('Five imports of this store'),
    ]);
  });

  it('returns 422 for columns that cannot be, and starts nothing', async () => {
    const { browser, path } = await shop();
    const { location } = await browser.upload(path, csv('a,b\n1,2\n'));
    const sent = { column_0: 'sku', column_1: 'sku', active: 'yes', brand: '' };
    const page = await browser.submit(location ?? '', sent);
    expect(page.status).toBe(422);
    expect(page.text).toContain('Only one column can be this.');
    expect(page.text).toContain('Choose a column with the id, the slug or the name');
    expect((await browser.get(path)).text).toContain('Nothing was imported');
  });

  it('returns 404 for the table and the import of another store, and no form for a viewer', async () => {
    const { store, browser, path } = await shop();
    const other = await shop();
    const { location } = await other.browser.upload(other.path, csv('name\nA\n'));
    const file = location?.split('/').at(-1);
    expect((await browser.get(`/account/stores/${store.alias}/tables/${file}`)).status).toBe(404);
    const brand = await createBrand(other.store);
    const { body } = await sendImport(other.store, [productLine(1, brand)]);
    for (const page of ['', '/errors']) {
      expect((await browser.get(`${path}/${body.data.id}${page}`)).status).toBe(404);
    }
    const viewer = await addTestMember(store, 'viewer');
    const reading = await new Browser().signIn(viewer.userId);
    const shown = await reading.get(path);
    expect(shown.status).toBe(200);
    expect(shown.html).not.toContain('type="file"');
  });
});
