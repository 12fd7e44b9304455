import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { measured } from '../support/counted.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { store } from '../support/store.ts';

interface Image {
  id: number;
  url: string;
  alt: string | null;
  position: number;
}

const everything = 'include=skus,brand,categories,images';
const at = (name: string) => `https://cdn.test/${name}.jpg`;
const [front, back, detail] = ['frente', 'costas', 'detalhe'].map((name) => ({ url: at(name) }));

async function shop() {
  const made = await store();
  const { body } = await made.api('POST /catalog/brands', { name: 'Marca', active: true });
  const required = { name: 'Camiseta', simple: true, active: true, brand_id: body.data.id };
  const product = (images: unknown[]) => ({ ...required, images });
  const imagesOf = async (id: number): Promise<Image[]> =>
    (await made.api(`GET /catalog/products/${id}?include=images`)).body.data.images.data;
  return { ...made, product, imagesOf };
}

/** A product with a picture of its front and one of its back. */
async function withTwo() {
  const made = await shop();
  const { body } = await made.api('POST /catalog/products', made.product([front, back]));
  const productId: number = body.data.id;
  const two = await made.imagesOf(productId);
  return { ...made, productId, path: `/catalog/products/${productId}`, two };
}

describe('images of products', () => {
  it('201 with them in the order sent, and the event says the same', async () => {
    const made = await shop();
    await subscribe(made, ['product.created']);
    const sent = made.product([{ ...back, alt: ' <b>Costas</b> ' }, front]);
    const { answer, data } = await measured(made, 'POST /catalog/products', sent);
    expect([answer.status, data.trips]).toEqual([201, 2]);
    const { body } = await made.api(`GET /catalog/products/${answer.body.data.id}?${everything}`);
    expect(body.data.images).toEqual({
      data: [
        { id: expect.any(Number), url: at('costas'), alt: 'Costas', position: 1 },
        { id: expect.any(Number), url: at('frente'), alt: null, position: 2 },
      ],
    });
    expect(await eventsOf(made)).toEqual([expect.objectContaining({ resource: body.data })]);
  });

  it('200 replaces them as a whole; one whose url stays keeps its id', async () => {
    const made = await withTwo();
    await subscribe(made, ['product.updated']);
    const [first, second] = made.two;
    const images = [detail, { ...back, alt: 'Costas' }];
    const { answer, data } = await measured(made, `PUT ${made.path}`, { images });
    expect([answer.status, data.trips]).toEqual([200, 2]);
    const after = await made.imagesOf(made.productId);
    expect(after).toEqual([
      { id: expect.any(Number), url: at('detalhe'), alt: null, position: 1 },
      { id: second?.id, url: at('costas'), alt: 'Costas', position: 2 },
    ]);
    expect([first?.id, second?.id]).not.toContain(after[0]?.id);
    const { body } = await made.api(`GET ${made.path}?${everything}`);
    expect(await eventsOf(made)).toEqual([expect.objectContaining({ resource: body.data })]);
  });

  it('200 for the same in another order, with an event; an event of another change has them too', async () => {
    const { two, ...made } = await withTwo();
    await subscribe(made, ['product.updated']);
    await made.api(`PUT ${made.path}`, { images: [back, front] });
    await made.api(`PUT ${made.path}`, { name: 'Nova' });
    const turned = two.toReversed().map((image, index) => ({ ...image, position: index + 1 }));
    expect(await made.imagesOf(made.productId)).toEqual(turned);
    const events = await eventsOf(made);
    expect(events).toHaveLength(2);
    for (const { resource } of events) expect(resource).toMatchObject({ images: { data: turned } });
  });

  it('200 and nothing is written when they are the same, none is left of an empty list', async () => {
    const made = await withTwo();
    await subscribe(made, ['product.updated']);
    const same = await measured(made, `PUT ${made.path}`, { images: [front, back] });
    expect([same.answer.status, same.data.trips, same.data.rowsWritten]).toEqual([200, 1, 0]);
    expect(await eventsOf(made)).toEqual([]);
    expect((await made.api(`PUT ${made.path}`, { images: [] })).status).toBe(200);
    expect(await made.imagesOf(made.productId)).toEqual([]);
    expect(await eventsOf(made)).toHaveLength(1);
  });

  it('never gives the id of an image that is gone to another', async () => {
    const made = await withTwo();
    await made.api(`PUT ${made.path}`, { images: [] });
    await made.api(`PUT ${made.path}`, { images: [front, back] });
    const ids = new Set(
      [...made.two, ...(await made.imagesOf(made.productId))].map(({ id }) => id),
    );
    expect(ids.size).toBe(4);
  });

  it('keeps one of two lists that come at once, whole', async () => {
    const made = await withTwo();
    const lists = [[detail], [back, detail, front]];
    const answers = await Promise.all(
      lists.map((images) => made.api(`PUT ${made.path}`, { images })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    const urls = (await made.imagesOf(made.productId)).map(({ url }) => ({ url }));
    expect(lists).toContainEqual(urls);
  });

  it.each<[why: string, images: unknown, field: string]>([
    ['more than 20', Array.from({ length: 21 }, (_, n) => ({ url: at(`${n}`) })), 'images'],
    ['the same address twice', [front, back, front], 'images.2.url'],
    ['no address', [{ alt: 'x' }], 'images.0.url'],
    ['another scheme', [{ url: 'ftp://cdn.test/a.jpg' }], 'images.0.url'],
    ['a text that is too long', [{ ...front, alt: 'x'.repeat(256) }], 'images.0.alt'],
    ['null', null, 'images'],
  ])('422 for %s, and those that are there stay', async (_why, images, field) => {
    const made = await withTwo();
    for (const request of [`PUT ${made.path}`, 'POST /catalog/products']) {
      const answer = await made.api(request, { ...made.product([]), images });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, [field]]);
    }
    expect(await made.imagesOf(made.productId)).toEqual(made.two);
  });

  it('404 for the product of another store, whose images stay', async () => {
    const [made, other] = [await withTwo(), await store()];
    expect((await other.api(`PUT ${made.path}`, { images: [] })).status).toBe(404);
    expect((await other.api(`PUT ${made.path}`, { images: [detail] })).status).toBe(404);
    expect(await made.imagesOf(made.productId)).toEqual(made.two);
  });

  it('go with their product, whose last event still shows them', async () => {
    const made = await withTwo();
    await subscribe(made, ['product.deleted']);
    await made.api(`DELETE ${made.path}`);
    expect(await eventsOf(made)).toMatchObject([{ resource: { images: { data: made.two } } }]);
    const left = env.STORE_0.prepare(
      'select count(*) as n from product_images where product_id = ?',
    );
    expect(await left.bind(made.productId).first('n')).toBe(0);
  });
});
