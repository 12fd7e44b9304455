import { describe, expect, it } from 'vitest';
import { measured } from '../support/counted.ts';
import { store } from '../support/store.ts';

async function shop() {
  const made = await store();
  const { body: brand } = await made.api('POST /catalog/brands', { name: 'Marca', active: true });
  const ids: number[] = [];
  for (const name of ['a', 'b']) {
    const product = { name, simple: true, active: true, brand_id: brand.data.id };
    ids.push((await made.api('POST /catalog/products', product)).body.data.id);
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
    const { body } = await made.api('POST /catalog/comments', comment(more));
    return body;
  };
  return { ...made, productId, otherId, comment, add };
}

const idsOf = (rows: { id: number }[]) => rows.map(({ id }) => id);

describe('POST /{alias}/catalog/comments', () => {
  it('200 with the bare comment, without an answer so far', async () => {
    const { api, comment } = await shop();
    const { status, body } = await api('POST /catalog/comments', comment());
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...comment(), comment_id: null, answer: null });
    expect(body.created_at).toEqual(body.updated_at);
  });

  it('200 for an answer', async () => {
    const { api, comment, add } = await shop();
    const { id } = await add();
    const sent = comment({ name: 'Loja', comment_id: id });
    const { status, body } = await api('POST /catalog/comments', sent);
    expect(status).toBe(200);
    expect(body).toMatchObject({ comment_id: id, answer: null });
  });

  it.each<[why: string, more: object, errors: object]>([
    ['the address is none', { email: 'ana' }, { email: ['Must be an e-mail address.'] }],
    [
      'the message is blank once cleaned',
      { message: ' <p> ' },
      { message: ['Must not be empty.'] },
    ],
    ['the name is too long', { name: 'x'.repeat(101) }, { name: [expect.any(String)] }],
    ['approved is null', { approved: null }, { approved: ['Must be true or false.'] }],
  ])('400 when %s', async (_why, more, errors) => {
    const { api, comment } = await shop();
    const answer = await api('POST /catalog/comments', comment(more));
    expect([answer.status, answer.body.errors]).toEqual([400, errors]);
  });

  it('400 when nothing is sent, naming what is needed', async () => {
    const { api } = await store();
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

  it('404 naming a product and a comment that the store does not have', async () => {
    const [one, other] = [await shop(), await shop()];
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

  it('400 for an answer to an answer, or to a comment on another product', async () => {
    const { api, comment, add, otherId } = await shop();
    const { id } = await add();
    const answer = await add({ comment_id: id });
    const deep = await api('POST /catalog/comments', comment({ comment_id: answer.id }));
    expect([deep.status, deep.body.errors]).toEqual([
      400,
      { comment_id: ['Must be a comment that is no answer itself.'] },
    ]);
    const sent = comment({ comment_id: id, product_id: otherId });
    const strange = await api('POST /catalog/comments', sent);
    expect([strange.status, strange.body.errors]).toEqual([
      400,
      { comment_id: ['Must be a comment on the same product.'] },
    ]);
  });

  it('costs one reading and one writing round trip', async () => {
    const made = await shop();
    const { data } = await measured(made, 'POST /catalog/comments', made.comment());
    expect(data.trips).toBe(2);
  });
});

describe('GET /{alias}/catalog/comments', () => {
  it('404 with data and meta while nothing matches', async () => {
    const { api } = await store();
    const { status, body } = await api('GET /catalog/comments');
    expect([status, body.data, body.meta.pagination.total]).toEqual([404, [], 0]);
  });

  it('200 with comments and answers alike, each with its newest answer, and answer null beside', async () => {
    const { api, add } = await shop();
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
  ])('200 for ?%s', async (query, names) => {
    const { api, add } = await shop();
    await add({ name: 'José', email: 'jose@loja.test' });
    await add({ name: 'Bia', email: 'bia@loja.test', approved: false });
    const { body } = await api(`GET /catalog/comments?${query}`);
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('200 for the comments of a product and the answers to a comment', async () => {
    const { api, add, otherId } = await shop();
    const { id } = await add();
    const answer = await add({ comment_id: id });
    const other = await add({ product_id: otherId });
    const search = async (text: string) =>
      idsOf((await api(`GET /catalog/comments?search=${text}`)).body.data);
    expect(await search(`product_id:${otherId}`)).toEqual([other.id]);
    expect(await search(`comment_id:${id}`)).toEqual([answer.id]);
  });

  it('reads a page with product and answers in one trip and two statements, whatever its size', async () => {
    const made = await shop();
    for (let n = 0; n < 6; n += 1) {
      const { id } = await made.add();
      for (let answer = 0; answer < 2; answer += 1) await made.add({ comment_id: id });
    }
    const { body: product } = await made.api(`GET /catalog/products/${made.productId}`);
    for (const limit of [1, 6]) {
      const path = `GET /catalog/comments?include=product,answers&onlyParents=1&limit=${limit}`;
      const { answer, data } = await measured(made, path);
      const rows = answer.body.data;
      expect(rows).toHaveLength(limit);
      expect(rows.at(-1).product).toEqual({ data: product.data });
      expect(rows.at(-1).answers.data).toHaveLength(2);
      expect(rows.at(-1).answers.data[1]).toEqual(rows.at(-1).answer);
      expect([data.trips, data.statements]).toEqual([1, 2]);
    }
  });
});

describe('/{alias}/catalog/comments/{id}', () => {
  it('GET 200 with an array of the one comment and its answer beside it', async () => {
    const { api, add } = await shop();
    const made = await add();
    const { body: alone } = await api(`GET /catalog/comments/${made.id}`);
    expect(alone).toEqual({ data: [made], answer: null });
    const { answer: _none, ...answer } = await add({ comment_id: made.id });
    const { body } = await api(`GET /catalog/comments/${made.id}`);
    expect(body).toEqual({ data: [{ ...made, answer }], answer });
    const { body: full } = await api(`GET /catalog/comments/${made.id}?include=answers,product`);
    expect(full.data[0].answers).toEqual({ data: [answer] });
    expect(full.data[0].product.data.id).toBe(made.product_id);
  });

  it('PUT 200 with the comment and its answer; comment_id stays when it is not sent', async () => {
    const { api, add, comment } = await shop();
    const made = await add();
    const { answer: _none, ...answer } = await add({ comment_id: made.id });
    const { body } = await api(`PUT /catalog/comments/${made.id}`, comment({ name: 'Bia' }));
    expect(body).toMatchObject({ id: made.id, name: 'Bia', answer });
    const path = `PUT /catalog/comments/${answer.id}`;
    expect((await api(path, comment({ message: 'Novo' }))).body.comment_id).toBe(made.id);
    expect((await api(path, comment({ comment_id: null }))).body.comment_id).toBeNull();
  });

  it('PUT 200 writes nothing when nothing changes, and reads few of many', async () => {
    const made = await shop();
    const { id } = await made.add();
    for (let n = 0; n < 20; n += 1) await made.add();
    const { data } = await measured(made, `PUT /catalog/comments/${id}`, made.comment());
    expect([data.trips, data.rowsWritten]).toEqual([2, 0]);
    expect(data.rowsRead).toBeLessThanOrEqual(15);
  });

  it('PUT 400 for itself, an answer, another product, and for what would displace answers', async () => {
    const { api, add, comment, otherId } = await shop();
    const [asked, lone] = [await add(), await add()];
    const answer = await add({ comment_id: asked.id });
    const refused = async (id: number, more: object) => {
      const { status, body } = await api(`PUT /catalog/comments/${id}`, comment(more));
      return [status, Object.keys(body.errors)];
    };
    expect(await refused(lone.id, { comment_id: lone.id })).toEqual([400, ['comment_id']]);
    expect(await refused(lone.id, { comment_id: answer.id })).toEqual([400, ['comment_id']]);
    expect(await refused(answer.id, { product_id: otherId })).toEqual([400, ['comment_id']]);
    expect(await refused(asked.id, { comment_id: lone.id })).toEqual([400, ['comment_id']]);
    expect(await refused(asked.id, { product_id: otherId })).toEqual([400, ['product_id']]);
    expect((await api(`PUT /catalog/comments/${lone.id}`, {})).status).toBe(400);
  });

  it('never makes an answer of what is being answered at the same time', async () => {
    const { api, add, comment } = await shop();
    for (let n = 0; n < 5; n += 1) {
      const [asked, other] = [await add(), await add()];
      const [made, moved] = await Promise.all([
        api('POST /catalog/comments', comment({ comment_id: asked.id })),
        api(`PUT /catalog/comments/${asked.id}`, comment({ comment_id: other.id })),
      ]);
      expect([made.status, moved.status].toSorted((a, b) => a - b)).toEqual([200, 400]);
    }
  });

  it('PUT 404 naming a product and a comment that the store does not have', async () => {
    const [one, other] = [await shop(), await shop()];
    const { id } = await one.add();
    const foreign = await other.add();
    const sent = one.comment({ product_id: other.productId, comment_id: foreign.id });
    const { status, body } = await one.api(`PUT /catalog/comments/${id}`, sent);
    expect([status, Object.keys(body.errors)]).toEqual([404, ['product_id', 'comment_id']]);
  });

  it('404 for a comment of another store, whatever is asked', async () => {
    const [one, other] = [await shop(), await shop()];
    const made = await one.add();
    const path = `/catalog/comments/${made.id}`;
    expect((await other.api(`GET ${path}`)).status).toBe(404);
    const put = await other.api(`PUT ${path}`, other.comment());
    expect([put.status, put.body.errors]).toEqual([404, undefined]);
    expect((await other.api(`DELETE ${path}`)).status).toBe(404);
    expect((await one.api(`GET ${path}`)).body.data).toEqual([made]);
  });

  it('DELETE 200 with an empty object and its answers with it, then 404', async () => {
    const { api, add } = await shop();
    const [made, kept] = [await add(), await add()];
    const answer = await add({ comment_id: made.id });
    const path = `DELETE /catalog/comments/${made.id}`;
    expect((await api(path)).body).toEqual({});
    expect((await api(path)).status).toBe(404);
    expect((await api(`GET /catalog/comments/${answer.id}`)).status).toBe(404);
    const { body } = await api('GET /catalog/comments');
    expect([idsOf(body.data), body.meta.pagination.total]).toEqual([[kept.id], 1]);
  });

  it('goes with its product', async () => {
    const { api, add, productId } = await shop();
    const { id } = await add();
    await add({ comment_id: id });
    await api(`DELETE /catalog/products/${productId}`);
    const { status, body } = await api('GET /catalog/comments');
    expect([status, body.meta.pagination.total]).toEqual([404, 0]);
  });
});
