import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser, tokenFor } from '../../support/browser/browser.ts';
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
    expect(asked.text).toContain('Rows: 3.');
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
    // The only product of the other brand has an error.
    expect(named.body.data).toMatchObject([{ name: 'Ipê', active: true }]);
    const done = await browser.get(importPath);
    expect(done.text).toMatch(/Done 2 of 2/);
    expect(done.html).toContain('class="state warn"');
    // The price of the third product, which stands in row 4.
    expect(done.text).toMatch(/Row\s4 Variant: price barato Must be written/);
    expect(done.text).toContain('Mend it, and upload it as it is.');
    const portuguese = await browser.get(`${importPath}?lang=pt-BR`);
    expect(portuguese.text).toContain('Deve ser escrito só com algarismos, como 1234,56');
    await browser.get(`${importPath}?lang=en`);
    const file = await browser.get(`${importPath}/errors`);
    expect(file.headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
    expect(file.html).toMatch(
      /^Nome;[^\n]*;Problem\nCaneca;;;K-1;barato;1;;"Variant: price: Must be/,
    );
    expect((await browser.get(path)).text).toContain('Imports of the last week');
    // The table, for the rows that failed.
    expect(await filesOf(store.id)).toBe(1);
  });

  it('asks what numbers mean that can be read in two ways, and refuses to start without an answer', async () => {
    const { store, browser, path } = await shop();
    const brand = await createBrand(store);
    const text =
      'Nome;Marca;SKU;Preço;Estoque;Peso;Altura\n' +
      `A;${brand};A;R$ 1.500;1.000;12.500;1.500\nB;${brand};B;49,90;2.000;7;"2,500"\n`;
    const uploaded = await browser.upload(path, csv(text));
    const location = uploaded.location ?? '';
    const asked = await browser.get(location);
    const proposed = proposedIn(asked.html);
    const questions = (html: string) =>
      [...html.matchAll(/type="radio" name="(mark_\d)" value="(.)"( checked)?/g)].map(
        ([, name, mark, isChosen]) => `${name} ${mark}${isChosen ?? ''}`,
      );
    const open = ['mark_4', 'mark_5', 'mark_6'].flatMap((name) => [`${name} .`, `${name} ,`]);
    // The price is decided by a cell, and no answer is proposed.
    expect(questions(asked.html)).toEqual(open);
    expect(asked.text).toContain('Estoque: what do its numbers mean?');
    expect(asked.text).toContain('1.000 means 1 1.000 means 1000');
    expect(asked.text).toContain('12.500 means 12.50 12.500 means 12500');
    expect(asked.text).toContain('1.500 means 1.50; 2,500 means 2500');
    const sent = { ...proposed, active: 'yes', brand: '' };
    const refused = await browser.submit(location, { ...sent, mark_5: '.' });
    expect(refused.status).toBe(422);
    expect(refused.html).toContain('<a href="#mark_4">Estoque: say what these numbers mean');
    expect(questions(refused.html)).toEqual(
      open.map((one) => (one === 'mark_5 .' ? `${one} checked` : one)),
    );
    // A column that is left out, or holds texts, is not asked.
    const others = await browser.submit(location, { ...sent, column_4: '', column_5: 'title' });
    expect(questions(others.html)).toEqual(open.slice(4));
    const started = await browser.submit(location, {
      ...sent,
      mark_4: ',',
      mark_5: '.',
      mark_6: '.',
    });
    await workOff(store, `/catalog/imports/${started.location?.split('/').at(-1)}`);
    const { body } = await store.api('GET /catalog/products?include=skus&orderBy=name');
    expect(body.data).toMatchObject([
      { skus: { data: [{ price_sale: 1500, total_in_stock: 1000, weight: 12.5, height: 1.5 }] } },
      { skus: { data: [{ price_sale: 49.9, total_in_stock: 2000, weight: 7, height: 2500 }] } },
    ]);
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

  it('reads UTF-16 with the delimiter in its first line, and names the rows of the file', async () => {
    const { store, browser, path } = await shop();
    const text =
      'sep=;\r\nname;description;brand;sku;price;ean\r\n' +
      'Café;"one\r\ntwo";Sol;A;1e3;\r\n\r\nCafé;;;B;12,345;\r\nChá;;Lua;C;1,5;7,89E+12\r\n' +
      'Mate;;Lua;D;2;="007"\r\nPão;;;E;3,5;\r\nPão;;;F;"1,234";\r\n';
    const units = Uint16Array.from(`\uFEFF${text}`, (char) => char.charCodeAt(0));
    const uploaded = await browser.upload(path, new File([units], 'products.txt'));
    const columnsPath = uploaded.location ?? '';
    const sent = { ...proposedIn((await browser.get(columnsPath)).html), active: 'yes', brand: '' };
    const started = await browser.submit(columnsPath, sent);
    const id = started.location?.split('/').at(-1);
    const ended = await workOff(store, `/catalog/imports/${id}`);
    expect(ended).toMatchObject({ total: 4, done: 4, created: 1, failed: 3 });
    const { body } = await store.api(`GET /catalog/imports/${id}/errors`);
    const found = body.data.map(({ line, field, sent: cell }: Record<string, unknown>) => [
      line,
      field,
      cell,
    ]);
    expect(found).toEqual([
      // The first row of the file sets the delimiter; the row of Café has two lines.
      [3, 'skus.0.price_sale', '1e3'],
      [6, 'skus.0.barcode', '7,89E+12'],
      [8, 'brand_id', null],
      [9, 'skus.1.price_sale', '1.234'],
    ]);
    const shown = await browser.get(`${started.location}?lang=es`);
    expect(shown.text).toContain('Fila 6 Variante: código de barras 7,89E+12 Debe ser');
    const products = await store.api('GET /catalog/products?include=skus,brand');
    expect(products.body.data).toMatchObject([
      { name: 'Mate', brand: { data: { name: 'Lua' } }, skus: { data: [{ barcode: '007' }] } },
    ]);
    // Sol had no other product, and none of its own was imported.
    const brands = await store.api('GET /catalog/brands');
    expect(brands.body.data.map(({ name }: { name: string }) => name)).toEqual(['Lua']);
  });

  it('takes lines in UTF-16, with the high byte first', async () => {
    const { store, browser, path } = await shop();
    const line = JSON.stringify(productLine(1, await createBrand(store)));
    const bytes = new DataView(new ArrayBuffer(2 * line.length));
    for (let at = 0; at < line.length; at += 1) bytes.setUint16(2 * at, line.charCodeAt(at));
    const { location } = await browser.upload(path, new File([bytes], 'products.ndjson'));
    const ended = await workOff(store, `/catalog/imports/${location?.split('/').at(-1)}`);
    expect(ended).toMatchObject({ created: 1, failed: 0 });
  });

  it('names the row of a SKU that does not fit, with what the file has there', async () => {
    const { store, browser, path } = await shop();
    const rows = ['P;A;9,5', 'P;B;12,345', '', 'P;C;7,25', `P;${'D'.repeat(90)};1,5`].join('\n');
    const uploaded = await browser.upload(path, csv(`name;sku;price\n${rows}\n`));
    const columnsPath = uploaded.location ?? '';
    const sent = { ...proposedIn((await browser.get(columnsPath)).html), active: 'no', brand: 'X' };
    const { location } = await browser.submit(columnsPath, sent);
    await workOff(store, `/catalog/imports/${location?.split('/').at(-1)}`);
    const shown = await browser.get(`${location}?lang=pt-BR`);
    expect(shown.text).toContain('Linha 3 Variante: preço 12,345 Deve ser um número');
    expect(shown.text).toContain(`Linha 6 Variante: SKU ${'D'.repeat(80)} Deve ter`);
    const file = await browser.get(`${location}/errors`);
    expect(file.html).toContain('\nP;B;"12,345";"Variante: preço: Deve');
  });

  it.each([
    ['no file', new File([], ''), 'Choose a file.'],
    ['no rows', csv('name,sku\n'), 'The file has no rows below the headers.'],
    ['too many rows', csv(`name\n${'A\n'.repeat(10_001)}`), 'The file has more than 10,000 rows.'],
    ['too many lines', csv('{}\n'.repeat(10_001)), 'The file has more than 10,000 rows.'],
    ['too many columns', csv(`${'a,'.repeat(100)}\nb\n`), 'The file has more than 100 columns.'],
    ['blank rows alone', csv('name,sku\n\n,\n'), 'The file has no rows below the headers.'],
    ['a quote without an end', csv('name\n"A\nB\n'), 'Row 2 has a quote that does not fit.'],
    ['a long row', csv(`sep=;\nname\n${'x'.repeat(140_000)}`), 'Row 3 is longer than 131,072'],
    ['a workbook', csv('PK\u0003\u0004\u0014\0\u0006\0', 'a.xlsx'), 'This is no CSV file. Save'],
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
    const token = await tokenFor(browser, path);
    const part = 'Content-Disposition: form-data; name="form_token"';
    const body = `--b\r\n${part}\r\n\r\n${token}\r\n--b\r\nhalf`;
    expect((await browser.send('POST', path, { headers, body })).status).toBe(400);
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
    const refused = [409, expect.stringContaining('Five imports of this store')];
    expect([page.status, page.text]).toEqual(refused);
    const { location } = await browser.upload(path, csv(table));
    const sent = { ...proposedIn((await browser.get(location ?? '')).html), active: 'yes' };
    const again = await browser.submit(location ?? '', { ...sent, brand: 'Própria' });
    expect([again.status, again.text]).toEqual(refused);
    // Neither brands nor a file are left of it.
    const { body } = await store.api('GET /catalog/brands');
    expect(body.data).toMatchObject([{ id: brand }]);
    expect(await filesOf(store.id)).toBe(5);
  });

  it('returns 422 for columns that cannot be, and starts nothing', async () => {
    const { browser, path } = await shop();
    const { location } = await browser.upload(path, csv('a,b\n1,2\n'));
    const sent = { column_0: 'title', column_1: 'title', active: 'yes', brand: '' };
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
