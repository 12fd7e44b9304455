import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { measureRequest } from '../../support/api/measure.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import '../../support/fixtures/first-shard.ts';

interface Image {
  id: number;
  url: string;
  alt: string | null;
  position: number;
}

const allIncludes = 'include=skus,brand,categories,images';
const imageUrl = (name: string) => `https://cdn.test/${name}.jpg`;
const [front, back, detail] = ['frente', 'costas', 'detalhe'].map((name) => ({
  url: imageUrl(name),
}));

async function createShop() {
  const shop = await createTestStore();
  const { body } = await shop.api('POST /catalog/brands', { name: 'Marca', active: true });
  const required = { name: 'Camiseta', simple: true, active: true, brand_id: body.data.id };
  const product = (images: unknown[]) => ({ ...required, images });
  const imagesOf = async (id: number): Promise<Image[]> =>
    (await shop.api(`GET /catalog/products/${id}?include=images`)).body.data.images.data;
  return { ...shop, product, imagesOf };
}

/** Creates a product with an image of its front and one of its back. */
async function createProductWithTwoImages() {
  const shop = await createShop();
  const { body } = await shop.api('POST /catalog/products', shop.product([front, back]));
  const productId: number = body.data.id;
  const two = await shop.imagesOf(productId);
  return { ...shop, productId, path: `/catalog/products/${productId}`, two };
}

describe('images of products', () => {
  it('are returned with 201 in the order sent, and published the same', async () => {
    const shop = await createShop();
    await subscribeEndpoint(shop, ['product.created']);
    const sent = shop.product([{ ...back, alt: ' <b>Costas</b> ' }, front]);
    const { response, data } = await measureRequest(shop, 'POST /catalog/products', sent);
    expect([response.status, data.roundTrips]).toEqual([201, 2]);
    const { body } = await shop.api(
      `GET /catalog/products/${response.body.data.id}?${allIncludes}`,
    );
    expect(body.data.images).toEqual({
      data: [
        { id: expect.any(Number), url: imageUrl('costas'), alt: 'Costas', position: 1 },
        { id: expect.any(Number), url: imageUrl('frente'), alt: null, position: 2 },
      ],
    });
    expect(await recordedEvents(shop)).toEqual([expect.objectContaining({ resource: body.data })]);
  });

  it('are replaced with 200 as a whole; an image whose url stays keeps its id', async () => {
    const shop = await createProductWithTwoImages();
    await subscribeEndpoint(shop, ['product.updated']);
    const [first, second] = shop.two;
    const images = [detail, { ...back, alt: 'Costas' }];
    const { response, data } = await measureRequest(shop, `PUT ${shop.path}`, { images });
    expect([response.status, data.roundTrips]).toEqual([200, 2]);
    const after = await shop.imagesOf(shop.productId);
    expect(after).toEqual([
      { id: expect.any(Number), url: imageUrl('detalhe'), alt: null, position: 1 },
      { id: second?.id, url: imageUrl('costas'), alt: 'Costas', position: 2 },
    ]);
    expect([first?.id, second?.id]).not.toContain(after[0]?.id);
    const { body } = await shop.api(`GET ${shop.path}?${allIncludes}`);
    expect(await recordedEvents(shop)).toEqual([expect.objectContaining({ resource: body.data })]);
  });

  it('are stored with 200 in another order, with an event; events of other changes have them as well', async () => {
    const { two, ...made } = await createProductWithTwoImages();
    await subscribeEndpoint(made, ['product.updated']);
    await made.api(`PUT ${made.path}`, { images: [back, front] });
    await made.api(`PUT ${made.path}`, { name: 'Nova' });
    const turned = two.toReversed().map((image, index) => ({ ...image, position: index + 1 }));
    expect(await made.imagesOf(made.productId)).toEqual(turned);
    const events = await recordedEvents(made);
    expect(events).toHaveLength(2);
    for (const { resource } of events) expect(resource).toMatchObject({ images: { data: turned } });
  });

  it('are not written when they are equal (200), and are removed by an empty list', async () => {
    const shop = await createProductWithTwoImages();
    await subscribeEndpoint(shop, ['product.updated']);
    const same = await measureRequest(shop, `PUT ${shop.path}`, { images: [front, back] });
    expect([same.response.status, same.data.roundTrips, same.data.rowsWritten]).toEqual([
      200, 1, 0,
    ]);
    expect(await recordedEvents(shop)).toEqual([]);
    expect((await shop.api(`PUT ${shop.path}`, { images: [] })).status).toBe(200);
    expect(await shop.imagesOf(shop.productId)).toEqual([]);
    expect(await recordedEvents(shop)).toHaveLength(1);
  });

  it('never reuse the id of a deleted image', async () => {
    const shop = await createProductWithTwoImages();
    await shop.api(`PUT ${shop.path}`, { images: [] });
    await shop.api(`PUT ${shop.path}`, { images: [front, back] });
    const ids = new Set(
      [...shop.two, ...(await shop.imagesOf(shop.productId))].map(({ id }) => id),
    );
    expect(ids.size).toBe(4);
  });

  it('are one whole list after two concurrent changes', async () => {
    const shop = await createProductWithTwoImages();
    const lists = [[detail], [back, detail, front]];
    const responses = await Promise.all(
      lists.map((images) => shop.api(`PUT ${shop.path}`, { images })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const urls = (await shop.imagesOf(shop.productId)).map(({ url }) => ({ url }));
    expect(lists).toContainEqual(urls);
  });

  it.each<[why: string, images: unknown, field: string]>([
    ['more than 20', Array.from({ length: 21 }, (_, n) => ({ url: imageUrl(`${n}`) })), 'images'],
    ['the same url twice', [front, back, front], 'images.2.url'],
    ['an invalid url', [{ alt: 'x' }], 'images.0.url'],
    ['another scheme', [{ url: 'ftp://cdn.test/a.jpg' }], 'images.0.url'],
    ['a text that is too long', [{ ...front, alt: 'x'.repeat(256) }], 'images.0.alt'],
    ['null', null, 'images'],
  ])('stay when a PUT returns 422 for %s', async (_why, images, field) => {
    const shop = await createProductWithTwoImages();
    for (const request of [`PUT ${shop.path}`, 'POST /catalog/products']) {
      const response = await shop.api(request, { ...shop.product([]), images });
      expect([response.status, Object.keys(response.body.errors)]).toEqual([422, [field]]);
    }
    expect(await shop.imagesOf(shop.productId)).toEqual(shop.two);
  });

  it('stay when a PUT returns 404 in another store', async () => {
    const [made, other] = [await createProductWithTwoImages(), await createTestStore()];
    expect((await other.api(`PUT ${made.path}`, { images: [] })).status).toBe(404);
    expect((await other.api(`PUT ${made.path}`, { images: [detail] })).status).toBe(404);
    expect(await made.imagesOf(made.productId)).toEqual(made.two);
  });

  it('are deleted with their product, whose last event has them', async () => {
    const shop = await createProductWithTwoImages();
    await subscribeEndpoint(shop, ['product.deleted']);
    await shop.api(`DELETE ${shop.path}`);
    expect(await recordedEvents(shop)).toMatchObject([
      { resource: { images: { data: shop.two } } },
    ]);
    const left = env.STORE_0.prepare(
      'select count(*) as n from product_images where product_id = ?',
    );
    expect(await left.bind(shop.productId).first('n')).toBe(0);
  });
});
