import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { languages } from '../../../src/base/languages.ts';
import { Browser } from '../../support/browser/browser.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { createBrand, productLine, upTo } from '../../support/transfers/catalog.ts';
import { exportLines, importLines, workOff } from '../../support/transfers/transfers.ts';
import { proposedIn } from './support.ts';
import '../../support/fixtures/first-shard.ts';

/** A store with the browser of its owner, and the path of its exports. */
async function shop() {
  const store = await createTestStore();
  const browser = await new Browser().signIn(store.userId);
  return { store, browser, path: `/account/stores/${store.alias}/product-exports` };
}

type Shop = Awaited<ReturnType<typeof shop>>;

/** Exports all products by page, and returns the path of the export. */
async function exportByPage({ store, browser, path }: Shop) {
  const { location } = await browser.submit(path);
  await workOff(store, `/catalog/exports/${location?.split('/').at(-1)}`);
  return location ?? '';
}

/** Products whose cells are hard to write, and to read again. */
const oddLines = (brand: number, others: { digits: number; formula: number }) => [
  productLine(1, brand),
  {
    ...productLine(2, others.formula),
    name: '=HYPERLINK("x")',
    description: '\'=not, a formula;\nbut "two" lines: a\\b',
    images: [
      { url: 'https://a.example/1.jpg?a,b', alt: 'Front, "left" \\ side | https://x' },
      { url: 'https://a.example/2.jpg' },
    ],
    erp_id: '+1',
    ncm: '0101.21.00',
    skus: [
      {
        sku: '-2',
        price_sale: 1234.5,
        price_discount: 0.05,
        weight: 0.1234,
        barcode: '007',
        variations: [
          { name: 'Cor: fora\\', value: '@vermelho' },
          { name: 'Tamanho', value: 'P: M' },
        ],
      },
      { sku: "'x", price_sale: 0, variations: [{ name: 'Tamanho', value: 'G' }] },
    ],
  },
  // One SKU, but not simple; and no SKU at all.
  { ...productLine(3, others.digits), active: false, skus: [{ sku: 'ÜÑ-3', price_sale: 3 }] },
  { ...productLine(4, brand), simple: true, skus: [] },
  // An address that a cell cannot hold.
  { ...productLine(5, brand), images: [{ url: 'https://a.example/a|b.jpg', alt: 'Both' }] },
];

describe('the page of exports', () => {
  it.each(languages)(
    'writes a table in %s that changes nothing when it is imported as proposed',
    async (language) => {
      const owner = await shop();
      const { store, browser, path } = owner;
      const brand = await createBrand(store);
      const named = async (name: string) =>
        (await store.api('POST /catalog/brands', { name, active: true })).body.data.id as number;
      const others = { digits: await named('1900'), formula: await named('@sign') };
      const lines = oddLines(brand, others);
      expect(await importLines(store, lines)).toMatchObject({ created: lines.length, failed: 0 });
      const before = await exportLines(store);
      const exportPath = await exportByPage(owner);
      const shown = await browser.get(`${exportPath}?lang=${language}`);
      expect(shown.html).toContain(`href="${exportPath}/csv"`);
      const { html: csv, headers } = await browser.get(`${exportPath}/csv`);
      expect(headers.get('Content-Type')).toBe('text/csv; charset=utf-8');
      expect(headers.get('Cache-Control')).toBe('no-store');
      expect(headers.get('X-Content-Type-Options')).toBe('nosniff');
      expect(headers.get('Content-Disposition')).toMatch(/^attachment; /);
      expect(csv).toContain(language === 'en' ? ',1234.5,0.05,' : ';"1234,5";"0,05";');
      expect(csv).not.toMatch(/(^|[,;\n])"?[=+\-@]/);
      const importsPath = path.replace('product-exports', 'imports');
      const uploaded = await browser.upload(importsPath, new File([csv], 'products.csv'));
      const asked = await browser.get(uploaded.location ?? '');
      const proposed = proposedIn(asked.html);
      expect(Object.values(proposed)).not.toContain('');
      const started = await browser.submit(uploaded.location ?? '', {
        ...proposed,
        active: 'yes',
        brand: '',
      });
      const imported = await workOff(
        store,
        `/catalog/imports/${started.location?.split('/').at(-1)}`,
      );
      expect(imported).toMatchObject({ unchanged: lines.length, updated: 0, failed: 0 });
      expect((await exportLines(store)).lines).toEqual(before.lines);
    },
  );

  it('sends the lines with all fields, for every member, and lists the exports', async () => {
    const owner = await shop();
    const { store, path } = owner;
    const brand = await createBrand(store);
    await importLines(
      store,
      upTo(3).map((n) => productLine(n, brand)),
    );
    const viewer = await addTestMember(store, 'viewer');
    const browser = await new Browser().signIn(viewer.userId);
    expect((await browser.get(path)).text).toContain('Nothing was exported in the last week.');
    const exportPath = await exportByPage({ ...owner, browser });
    const page = await browser.get(exportPath);
    expect(page.text).toMatch(/Done 3 of 3/);
    // Nothing is left to cancel.
    expect(page.html).not.toContain('Cancel the export');
    const { html, headers } = await browser.get(`${exportPath}/ndjson`);
    expect(headers.get('Content-Type')).toBe('application/x-ndjson');
    const lines = html
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines).toEqual((await exportLines(store)).lines);
    expect(lines[0]).toMatchObject({ skus: [{ quantity: 1 }, { quantity: 0 }] });
    expect((await browser.get(path)).text).toContain('Exports of the last week');
  });

  it('writes a table with headers alone for a store without products', async () => {
    const owner = await shop();
    const { html } = await owner.browser.get(`${await exportByPage(owner)}/csv`);
    expect(html).toMatch(/^\uFEFF?Product: id,[^\n]*\n$/);
  });

  it('names the brand of a product in each of its rows', async () => {
    const owner = await shop();
    const { store } = owner;
    const names = upTo(3).map((n) => `Brand ${n}`);
    const ids = await Promise.all(
      names.map(async (name) => {
        const { body } = await store.api('POST /catalog/brands', { name, active: true });
        return body.data.id as number;
      }),
    );
    await importLines(
      store,
      ids.map((id, n) => productLine(n, id)),
    );
    const { html } = await owner.browser.get(`${await exportByPage(owner)}/csv`);
    const read = html.split('\n').flatMap((row) => /Brand \d/.exec(row) ?? []);
    // Each product has two rows.
    expect(read).toEqual(names.flatMap((name) => [name, name]));
  });

  it('ends an export whose member has left, whose files then have no address', async () => {
    const { store, path } = await shop();
    const viewer = await addTestMember(store, 'viewer');
    const browser = await new Browser().signIn(viewer.userId);
    const done = await exportByPage({ store, browser, path });
    const { location } = await browser.submit(path);
    await env.DIRECTORY.prepare('delete from memberships where user_id = ?')
      .bind(viewer.userId)
      .run();
    const id = location?.split('/').at(-1);
    expect(await workOff(store, `/catalog/exports/${id}`)).toMatchObject({
      state: 'cancelled',
      reason: 'access_ended',
    });
    for (const file of ['', '/csv', '/ndjson']) {
      expect((await browser.get(done + file)).status).toBe(404);
    }
    expect((await new Browser().get(`${done}/csv`)).text).toContain('Sign in');
  });

  it('cancels an export for a manager, and leads from its files to its page (303)', async () => {
    const { store, browser, path } = await shop();
    const { location } = await browser.submit(path);
    const waiting = await browser.get(location ?? '');
    expect(waiting.html).toContain('<progress value="0"');
    expect((await browser.get(`${location}/csv`)).location).toBe(location);
    const viewer = await addTestMember(store, 'viewer');
    const reading = await new Browser().signIn(viewer.userId);
    expect((await reading.get(location ?? '')).html).not.toContain('Cancel the export');
    expect((await browser.submit(location ?? '')).status).toBe(303);
    expect((await browser.get(location ?? '')).text).toContain(
      'A member or a program cancelled it.',
    );
  });

  it('returns 409 with five unfinished exports, and 404 for those of another store', async () => {
    const { browser, path } = await shop();
    for (const _ of upTo(5)) expect((await browser.submit(path)).status).toBe(303);
    const page = await browser.submit(path);
    expect([page.status, page.text]).toEqual([
      409,
      expect.stringContaining('Five exports of this store'),
    ]);
    const other = await shop();
    const theirs = await exportByPage(other);
    const id = theirs.split('/').at(-1);
    for (const file of ['', '/csv', '/ndjson']) {
      expect((await browser.get(`${path}/${id}${file}`)).status).toBe(404);
    }
  });
});
