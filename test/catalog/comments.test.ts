import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { createTestStore } from '../support/fixtures/store.ts';

async function createShop() {
  const shop = await createTestStore();
  const { body: brand } = await shop.api('POST /catalog/brands', {
    name: 'Marca',
    active: true,
  });
  const ids: number[] = [];
  for (const name of ['a', 'b']) {
    const product = { name, simple: true, active: true, brand_id: brand.data.id };
    ids.push((await shop.api('POST /catalog/products', product)).body.data.id);
  }
  const [productId = 0, otherId = 0] = ids;
  const comment = (more: object = {}) => ({
    product_id: productId,
    approved: true,
    name: 'Ana',
    email: 'Ana@loja.test',
    message: 'Muito bom.\nRecomendo.',
    ...more,
  });
  const add = async (more: object = {}) => {
    const { body } = await shop.api('POST /catalog/comments', comment(more));
    return body;
  };
  return { ...shop, productId, otherId, comment, add };
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

describe('POST /{alias}/catalog/comments', () => {
  it('returns 200 with the bare comment, without an answer', async () => {
    const { api, comment } = await createShop();
    const { status, body } = await api('POST /catalog/comments', comment());
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...comment(), comment_id: null, answer: null });
    expect(body.created_at).toEqual(body.updated_at);
  });

  it('returns 200 for an answer', async () => {
    const { api, comment, add } = await createShop();
    const { id } = await add();
    const sent = comment({ name: 'Loja', comment_id: id });
    const { status, body } = await api('POST /catalog/comments', sent);
    expect(status).toBe(200);
    expect(body).toMatchObject({ comment_id: id, answer: null });
  });

  it.each<[why: string, more: object, errors: object]>([
    ['the e-mail address is invalid', { email: 'ana' }, { email: ['Must be an e-mail address.'] }],
    [
      'the message is blank once trimmed',
      { message: ' <p> ' },
      { message: ['Must not be empty.'] },
    ],
    ['the name is too long', { name: 'x'.repeat(101) }, { name: [expect.any(String)] }],
    ['approved is null', { approved: null }, { approved: ['Must be true or false.'] }],
  ])('returns 400 when %s', async (_why, more, errors) => {
    const { api, comment } = await createShop();
    const response = await api('POST /catalog/comments', comment(more));
    expect([response.status, response.body.errors]).toEqual([400, errors]);
  });

  it('returns 400 with each required field when nothing is sent', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /catalog/comments', {});
    expect(status).toBe(400);
    expect(Object.keys(body.errors)).toEqual([
      'product_id',
      'approved',
      'name',
      'email',
      'message',
    ]);
  });

  it('returns 404 with the fields of an unknown product and an unknown comment', async () => {
    const [one, other] = [await createShop(), await createShop()];
    const { id } = await other.add();
    const sent = one.comment({ product_id: other.productId, comment_id: id });
    const { status, body } = await one.api('POST /catalog/comments', sent);
    expect([status, body.errors]).toEqual([
      404,
      {
        product_id: ['No such product in this store.'],
        comment_id: ['No such comment in this store.'],
      },
    ]);
  });

  it('returns 400 for an answer to an answer, and for a comment on another product', async () => {
    const { api, comment, add, otherId } = await createShop();
    const { id } = await add();
    const answer = await add({ comment_id: id });
    const deep = await api('POST /catalog/comments', comment({ comment_id: answer.id }));
    expect([deep.status, deep.body.errors]).toEqual([
      400,
      { comment_id: ['Must be a comment, not an answer.'] },
    ]);
    const sent = comment({ comment_id: id, product_id: otherId });
    const otherStore = await api('POST /catalog/comments', sent);
    expect([otherStore.status, otherStore.body.errors]).toEqual([
      400,
      { comment_id: ['Must be a comment on the same product.'] },
    ]);
  });

  it('costs one reading and one writing round trip', async () => {
    const shop = await createShop();
    const { data } = await measureRequest(shop, 'POST /catalog/comments', shop.comment());
    expect(data.roundTrips).toBe(2);
  });
});

describe('GET /{alias}/catalog/comments', () => {
  it('returns 404 with data and meta while nothing matches', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('GET /catalog/comments');
    expect([status, body.data, body.meta.pagination.total]).toEqual([404, [], 0]);
  });

  it('returns 200 with comments and answers, each with its newest answer, and answer null beside data', async () => {
    const { api, add } = await createShop();
    const first = await add();
    await add({ comment_id: first.id });
    const newest = await add({ comment_id: first.id, name: 'Loja' });
    const second = await add();
    const { body } = await api('GET /catalog/comments');
    expect(body.answer).toBeNull();
    expect(body.meta.pagination.total).toBe(4);
    const { answer: _none, ...shown } = newest;
    expect(body.data.map(({ answer }: { answer: unknown }) => answer)).toEqual([
      shown,
      null,
      null,
      null,
    ]);
    const { body: parents } = await api('GET /catalog/comments?onlyParents=true');
    expect(idsOf(parents.data)).toEqual([first.id, second.id]);
    expect((await api('GET /catalog/comments?page=9')).status).toBe(200);
  });

  it.each([
    ['search=jose', ['José']],
    ['search=email:BIA@', ['Bia']],
    ['search=approved:0', ['Bia']],
    ['orderBy=name&sortedBy=desc', ['José', 'Bia']],
    ['orderBy=email', ['Bia', 'José']],
    ['orderBy=approved', ['Bia', 'José']],
  ])('returns 200 with the matching comments for ?%s', async (query, names) => {
    const { api, add } = await createShop();
    await add({ name: 'José', email: 'jose@loja.test' });
    await add({ name: 'Bia', email: 'bia@loja.test', approved: false });
    const { body } = await api(`GET /catalog/comments?${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('returns 200 with the comments of a product, and with the answers to a comment', async () => {
    const { api, add, otherId } = await createShop();
    const { id } = await add();
    const answer = await add({ comment_id: id });
    const other = await add({ product_id: otherId });
    const search = async (text: string) =>
      idsOf((await api(`GET /catalog/comments?search=${text}`)).body.data);
    expect(await search(`product_id:${otherId}`)).toEqual([other.id]);
    expect(await search(`comment_id:${id}`)).toEqual([answer.id]);
  });

  it('reads a page with product and answers in one round trip and two statements, whatever its size', async () => {
    const shop = await createShop();
    for (let n = 0; n < 6; n += 1) {
      const { id } = await shop.add();
      for (let answer = 0; answer < 2; answer += 1) await shop.add({ comment_id: id });
    }
    const { body: product } = await shop.api(`GET /catalog/products/${shop.productId}`);
    for (const limit of [1, 6]) {
      const path = `GET /catalog/comments?include=product,answers&onlyParents=1&limit=${limit}`;
      const { response, data } = await measureRequest(shop, path);
      const rows = response.body.data;
      expect(rows).toHaveLength(limit);
      expect(rows.at(-1).product).toEqual({ data: product.data });
      expect(rows.at(-1).answers.data).toHaveLength(2);
      expect(rows.at(-1).answers.data[1]).toEqual(rows.at(-1).answer);
      expect([data.roundTrips, data.statements]).toEqual([1, 3]);
    }
  });
});

describe('GET, PUT and DELETE /{alias}/catalog/comments/{id}', () => {
  it('GET returns 200 with an array of the one comment, and its answer beside data', async () => {
    const { api, add } = await createShop();
    const created = await add();
    const { body: alone } = await api(`GET /catalog/comments/${created.id}`);
    expect(alone).toEqual({ data: [created], answer: null });
    const { answer: _none, ...answer } = await add({ comment_id: created.id });
    const { body } = await api(`GET /catalog/comments/${created.id}`);
    expect(body).toEqual({ data: [{ ...created, answer }], answer });
    const { body: full } = await api(`GET /catalog/comments/${created.id}?include=answers,product`);
    expect(full.data[0].answers).toEqual({ data: [answer] });
    expect(full.data[0].product.data.id).toBe(created.product_id);
  });

  it('PUT returns 200 with the comment and its answer, and keeps comment_id when it is not sent', async () => {
    const { api, add, comment } = await createShop();
    const created = await add();
    const { answer: _none, ...answer } = await add({ comment_id: created.id });
    const { body } = await api(`PUT /catalog/comments/${created.id}`, comment({ name: 'Bia' }));
    expect(body).toMatchObject({ id: created.id, name: 'Bia', answer });
    const path = `PUT /catalog/comments/${answer.id}`;
    expect((await api(path, comment({ message: 'Novo' }))).body.comment_id).toBe(created.id);
    expect((await api(path, comment({ comment_id: null }))).body.comment_id).toBeNull();
  });

  it('PUT returns 200 and writes nothing when nothing changes, and reads few of many comments', async () => {
    const shop = await createShop();
    const { id } = await shop.add();
    for (let n = 0; n < 20; n += 1) await shop.add();
    const { data } = await measureRequest(shop, `PUT /catalog/comments/${id}`, shop.comment());
    expect([data.roundTrips, data.rowsWritten]).toEqual([2, 0]);
    expect(data.rowsRead).toBeLessThanOrEqual(15);
  });

  it('PUT returns 400 for itself, an answer or another product as parent, and when answers would lose their comment', async () => {
    const { api, add, comment, otherId } = await createShop();
    const [asked, lone] = [await add(), await add()];
    const answer = await add({ comment_id: asked.id });
    const rejected = async (id: number, more: object) => {
      const { status, body } = await api(`PUT /catalog/comments/${id}`, comment(more));
      return [status, Object.keys(body.errors)];
    };
    expect(await rejected(lone.id, { comment_id: lone.id })).toEqual([400, ['comment_id']]);
    expect(await rejected(lone.id, { comment_id: answer.id })).toEqual([400, ['comment_id']]);
    expect(await rejected(answer.id, { product_id: otherId })).toEqual([400, ['comment_id']]);
    expect(await rejected(asked.id, { comment_id: lone.id })).toEqual([400, ['comment_id']]);
    expect(await rejected(asked.id, { product_id: otherId })).toEqual([400, ['product_id']]);
    expect((await api(`PUT /catalog/comments/${lone.id}`, {})).status).toBe(400);
  });

  it('never turns a comment into an answer while a concurrent request answers it', async () => {
    const { api, add, comment } = await createShop();
    for (let n = 0; n < 5; n += 1) {
      const [asked, other] = [await add(), await add()];
      const [made, moved] = await Promise.all([
        api('POST /catalog/comments', comment({ comment_id: asked.id })),
        api(`PUT /catalog/comments/${asked.id}`, comment({ comment_id: other.id })),
      ]);
      expect([made.status, moved.status].toSorted((a, b) => a - b)).toEqual([200, 400]);
    }
  });

  it('PUT returns 404 with the fields of an unknown product and an unknown comment', async () => {
    const [one, other] = [await createShop(), await createShop()];
    const { id } = await one.add();
    const foreign = await other.add();
    const sent = one.comment({ product_id: other.productId, comment_id: foreign.id });
    const { status, body } = await one.api(`PUT /catalog/comments/${id}`, sent);
    expect([status, Object.keys(body.errors)]).toEqual([404, ['product_id', 'comment_id']]);
  });

  it('returns 404 for a comment of another store, for every method', async () => {
    const [one, other] = [await createShop(), await createShop()];
    const created = await one.add();
    const path = `/catalog/comments/${created.id}`;
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    const put = await other.api(`PUT ${path}`, other.comment());
    expect([put.status, put.body.errors]).toEqual([404, undefined]);
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`GET ${path}`)).body.data).toEqual([created]);
  });

  it('DELETE returns 200 with an empty object and deletes the answers; then returns 404', async () => {
    const { api, add } = await createShop();
    const [made, kept] = [await add(), await add()];
    const answer = await add({ comment_id: made.id });
    const path = `DELETE /catalog/comments/${made.id}`;
    expect((await api(path)).body).toEqual({});
    expect((await api(path)).status).toBe(404);
    expect((await api(`GET /catalog/comments/${answer.id}`)).status).toBe(404);
    const { body } = await api('GET /catalog/comments');
    expect([idsOf(body.data), body.meta.pagination.total]).toEqual([[kept.id], 1]);
  });

  it('deletes a comment with its product', async () => {
    const { api, add, productId } = await createShop();
    const { id } = await add();
    await add({ comment_id: id });
    await api(`DELETE /catalog/products/${productId}`);
    const { status, body } = await api('GET /catalog/comments');
    expect([status, body.meta.pagination.total]).toEqual([404, 0]);
  });
});
