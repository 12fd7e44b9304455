import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callWith, measured } from '../support/counted.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { person, place } from '../support/people.ts';
import { store, type TestStore } from '../support/store.ts';

const company = {
  email: 'compras@empresa.test',
  first_name: 'Empresa de Teste Ltda.',
  last_name: null,
  type: 'j',
  cnpj: '12.abc.345/01de-35',
  phone: null,
};

const dateTime = expect.objectContaining({ timezone_type: 3, timezone: 'America/Sao_Paulo' });

async function customerOf(shop: TestStore, body: object = person) {
  const { status, body: made } = await shop.api('POST /customers', body);
  expect(status, JSON.stringify(made)).toBe(201);
  return made.data;
}

afterEach(() => vi.restoreAllMocks());

describe('POST /{alias}/customers', () => {
  it('201 with what is stored: documents and phone without punctuation', async () => {
    const shop = await store();
    expect(await customerOf(shop)).toEqual({
      id: expect.any(Number),
      email: 'Maria.Teste@cliente.test',
      first_name: 'Maria',
      last_name: 'Teste da Silva',
      type: 'f',
      cpf: '52998224725',
      cnpj: null,
      phone: '+5511912345678',
      anonymized: false,
      created_at: dateTime,
      updated_at: dateTime,
    });
    expect(await customerOf(shop, company)).toMatchObject({
      type: 'j',
      cpf: null,
      cnpj: '12ABC34501DE35',
      last_name: null,
      phone: null,
    });
  });

  it('tells of the customer with all addresses, then of each address, in one batch', async () => {
    const shop = await store();
    await subscribe(shop, ['customer.created', 'customer.address.created']);
    const addresses = [place, { ...place, number: '200' }];
    const { data } = await measured(shop, 'POST /customers', { ...person, addresses });
    expect(data.trips).toBe(2);
    const { body: read } = await shop.api('GET /customers?include=addresses');
    const [customer] = read.data;
    expect(customer.addresses.data.map(({ number }: { number: string }) => number)).toEqual([
      '100',
      '200',
    ]);
    const events = await eventsOf(shop);
    expect(events.map(({ event, resource }) => ({ event, resource }))).toEqual([
      { event: 'customer.created', resource: customer },
      { event: 'customer.address.created', resource: customer.addresses.data[0] },
      { event: 'customer.address.created', resource: customer.addresses.data[1] },
    ]);
  });

  it('422 for an e-mail address that is taken in any case, and nothing is told or kept', async () => {
    const shop = await store();
    await customerOf(shop);
    await subscribe(shop, ['customer.created', 'customer.address.created']);
    const again = { ...person, email: 'MARIA.teste@CLIENTE.test', addresses: [place] };
    const { status, body } = await shop.api('POST /customers', again);
    expect(status).toBe(422);
    expect(body.errors).toEqual({ email: ['Already taken.'] });
    expect(await eventsOf(shop)).toEqual([]);
    expect((await shop.api('GET /customers')).body.meta.pagination.total).toBe(1);
    expect(await customerOf(await store())).toMatchObject({ email: person.email });
  });

  it('one of many at once gets an e-mail address', async () => {
    const shop = await store();
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => shop.api('POST /customers', person)),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 422, 422, 422, 422, 422,
    ]);
  });

  it('422 with everything that is missing', async () => {
    const { api } = await store();
    const { status, body } = await api('POST /customers', {});
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['email', 'first_name', 'last_name', 'type', 'phone']);
  });

  it.each<[why: string, sent: object, errors: object]>([
    ['no CPF of a person', { cpf: null }, { cpf: ['Required when type is f.'] }],
    ['no CNPJ of a company', { type: 'j', cpf: null }, { cnpj: ['Required when type is j.'] }],
    [
      'the documents of both types',
      { cnpj: company.cnpj },
      { cnpj: ['Must be null when type is f.'] },
    ],
    ['a CPF with wrong check digits', { cpf: '529.982.247-26' }, { cpf: ['Must be a valid CPF.'] }],
    [
      'a CNPJ with wrong check digits',
      { type: 'j', cpf: null, cnpj: '11.222.333/0001-82' },
      { cnpj: ['Must be a valid CNPJ.'] },
    ],
    ['another type', { type: 'x' }, { type: ['Must be one of f, j.'] }],
    ['no e-mail address', { email: 'maria' }, { email: ['Must be an e-mail address.'] }],
    [
      'a phone of letters',
      { phone: 'call me' },
      { phone: ['Must be a phone number of 8 to 15 digits.'] },
    ],
    ['a name of tags alone', { first_name: '<b></b>' }, { first_name: ['Must not be empty.'] }],
    [
      'an address in no state',
      { addresses: [place, { ...place, state: 'XX' }] },
      { 'addresses.1.state': [expect.stringMatching(/^Must be one of AC, .* TO in Brazil\.$/)] },
    ],
    [
      'too many addresses',
      { addresses: Array(11).fill(place) },
      { addresses: ['Must be an array of at most 10 items.'] },
    ],
  ])('422 for %s', async (_why, sent, errors) => {
    const { api } = await store();
    const { status, body } = await api('POST /customers', { ...person, ...sent });
    expect(status).toBe(422);
    expect(body.errors).toEqual(errors);
  });

  it('tells the log nothing of a person, whatever becomes of the request', async () => {
    const shop = await store();
    const lines: string[] = [];
    for (const level of ['log', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
    }
    await measured(shop, 'POST /customers', { ...person, addresses: [place] });
    await measured(shop, 'POST /customers', person);
    await measured(shop, 'POST /customers', { ...person, phone: 'mistaken' });
    await measured(shop, `GET /customers?search=${person.email}&q=Maria`);
    const broken = { prepare: () => null, batch: () => null } as unknown as D1Database;
    const failed = await callWith(shop, 'POST /customers', person, { STORE_0: broken });
    expect(failed.status).toBe(500);
    expect(lines).toHaveLength(6);
    const text = lines.join('\n');
    for (const value of ['aria', 'cliente.test', '5299822', '529.982', '91234', 'Testes']) {
      expect(text).not.toContain(value);
    }
  });
});

describe('GET /{alias}/customers', () => {
  it('200 searched by name, e-mail address, document and phone, and sorted', async () => {
    const shop = await store();
    const maria = await customerOf(shop);
    const firm = await customerOf(shop, company);
    const jose = await customerOf(shop, {
      ...person,
      email: 'jose@cliente.test',
      first_name: 'José',
      cpf: '111.444.777-35',
    });
    const found = async (query: string) =>
      (await shop.api(`GET /customers?${query}`)).body.data.map(({ id }: { id: number }) => id);
    expect(await found('q=jose')).toEqual([jose.id]);
    expect(await found('q=JOSE%20Teste')).toEqual([jose.id]);
    expect(await found('q=ltda')).toEqual([firm.id]);
    expect(await found('q=CLIENTE.TEST')).toEqual([maria.id, jose.id]);
    expect(await found('search=cpf:11144477735')).toEqual([jose.id]);
    expect(await found('search=cnpj:12ABC34501DE35')).toEqual([firm.id]);
    expect(await found('search=phone:%2B5511912345678;type:f')).toEqual([maria.id, jose.id]);
    expect(await found('search=type:j')).toEqual([firm.id]);
    expect(await found('search=anonymized:true')).toEqual([]);
    expect(await found('search=email:EMPRESA')).toEqual([firm.id]);
    expect(await found('orderBy=first_name')).toEqual([firm.id, jose.id, maria.id]);
    expect(await found('orderBy=email&sortedBy=desc&limit=1')).toEqual([maria.id]);
  });

  it('200 with the addresses when they are asked for, in one round trip', async () => {
    const shop = await store();
    await customerOf(shop, { ...person, addresses: [place] });
    const { answer, data } = await measured(shop, 'GET /customers?include=addresses');
    expect(answer.body.data[0].addresses.data).toHaveLength(1);
    expect([data.trips, data.statements]).toEqual([1, 2]);
    expect((await shop.api('GET /customers')).body.data[0]).not.toHaveProperty('addresses');
  });
});

describe('GET /{alias}/customers/{id}', () => {
  it('200 for a customer of the store, 404 for one of another', async () => {
    const [shop, other] = [await store(), await store()];
    const made = await customerOf(shop);
    const { status, body } = await shop.api(`GET /customers/${made.id}`);
    expect([status, body]).toEqual([200, { data: made }]);
    expect((await other.api(`GET /customers/${made.id}`)).status).toBe(404);
    const { body: full } = await shop.api(`GET /customers/${made.id}?include=addresses`);
    expect(full.data.addresses).toEqual({ data: [] });
  });
});

describe('PUT /{alias}/customers/{id}', () => {
  it('200 with what was sent changed, and no event', async () => {
    const shop = await store();
    const made = await customerOf(shop);
    await subscribe(shop, ['customer.created', 'customer.address.created']);
    const { answer, data } = await measured(shop, `PUT /customers/${made.id}`, {
      email: 'maria@outra.test',
      phone: null,
    });
    expect(answer.status).toBe(200);
    expect(answer.body.data).toEqual({
      ...made,
      email: 'maria@outra.test',
      phone: null,
      updated_at: answer.body.data.updated_at,
    });
    expect(data.trips).toBe(2);
    expect(await eventsOf(shop)).toEqual([]);
  });

  it('200 with another type: the document of the old one goes', async () => {
    const shop = await store();
    const { id } = await customerOf(shop);
    const { body } = await shop.api(`PUT /customers/${id}`, { type: 'j', cnpj: company.cnpj });
    expect(body.data).toMatchObject({ type: 'j', cpf: null, cnpj: '12ABC34501DE35' });
  });

  it.each<[why: string, sent: object, errors: object]>([
    ['another type without its document', { type: 'j' }, { cnpj: ['Required when type is j.'] }],
    ['no document any more', { cpf: null }, { cpf: ['Required when type is f.'] }],
    [
      'the document of the other type',
      { cnpj: company.cnpj },
      { cnpj: ['Must be null when type is f.'] },
    ],
    [
      'both documents with another type',
      { type: 'j', cnpj: company.cnpj, cpf: person.cpf },
      { cpf: ['Must be null when type is j.'] },
    ],
    ['no e-mail address', { email: null }, { email: ['Must be an e-mail address.'] }],
  ])('422 for %s', async (_why, sent, errors) => {
    const shop = await store();
    const made = await customerOf(shop);
    const { status, body } = await shop.api(`PUT /customers/${made.id}`, sent);
    expect(status).toBe(422);
    expect(body.errors).toEqual(errors);
    expect((await shop.api(`GET /customers/${made.id}`)).body.data).toEqual(made);
  });

  it('422 for the e-mail address of another customer', async () => {
    const shop = await store();
    const made = await customerOf(shop);
    await customerOf(shop, company);
    const { status, body } = await shop.api(`PUT /customers/${made.id}`, {
      email: company.email.toUpperCase(),
    });
    expect([status, body.errors]).toEqual([422, { email: ['Already taken.'] }]);
  });

  it('leaves no customer with the documents of both types, whoever changes it at once', async () => {
    const shop = await store();
    const { id } = await customerOf(shop);
    await Promise.all([
      shop.api(`PUT /customers/${id}`, { type: 'j', cnpj: company.cnpj }),
      shop.api(`PUT /customers/${id}`, { cpf: '111.444.777-35' }),
      shop.api(`PUT /customers/${id}`, { type: 'f', cpf: person.cpf }),
      shop.api(`PUT /customers/${id}`, { type: 'j', cnpj: '11.222.333/0001-81' }),
    ]);
    const { type, cpf, cnpj } = (await shop.api(`GET /customers/${id}`)).body.data;
    expect(type === 'f' ? [cpf !== null, cnpj] : [cnpj !== null, cpf]).toEqual([true, null]);
  });
});

describe('DELETE /{alias}/customers/{id}', () => {
  it('200 and gone with all addresses, in one round trip, when nothing was ordered', async () => {
    const shop = await store();
    const { id } = await customerOf(shop, { ...person, addresses: [place] });
    const { answer, data } = await measured(shop, `DELETE /customers/${id}`);
    expect([answer.status, answer.body, data.trips]).toEqual([200, {}, 1]);
    expect((await shop.api(`GET /customers/${id}`)).status).toBe(404);
    expect((await shop.api(`DELETE /customers/${id}`)).status).toBe(404);
    expect((await shop.api('GET /customers')).body.meta.pagination.total).toBe(0);
    expect(await traces(shop, ['addresses', 'customers'])).toEqual([]);
    // The e-mail address is free again; the id is not given out a second time.
    expect((await customerOf(shop)).id).toBeGreaterThan(id);
  });

  it('200 and anonymised when something was ordered: nothing personal is left anywhere', async () => {
    const shop = await store();
    const { id } = await customerOf(shop, { ...person, addresses: [place] });
    const stays = await customerOf(shop, {
      ...person,
      email: 'outra@cliente.test',
      cpf: '111.444.777-35',
      addresses: [place],
    });
    await order(shop, id);
    await order(shop, stays.id);
    const { answer, data } = await measured(shop, `DELETE /customers/${id}`);
    expect([answer.status, answer.body, data.trips]).toEqual([200, {}, 1]);
    const { body } = await shop.api(`GET /customers/${id}?include=addresses`);
    expect(body.data).toMatchObject({
      id,
      anonymized: true,
      email: null,
      first_name: null,
      last_name: null,
      type: 'f',
      cpf: null,
      cnpj: null,
      phone: null,
    });
    expect(body.data.addresses.data).toEqual([
      expect.objectContaining({
        customer_id: id,
        receiver: null,
        zipcode: null,
        street: null,
        number: null,
        complement: null,
        neighborhood: null,
        city: null,
        state: 'SP',
        country: 'BR',
      }),
    ]);
    // Every table that tells of people now tells of the other customer alone.
    expect(
      await traces(shop, ['addresses', 'customers', 'order_addresses', 'transactions']),
    ).toEqual(['addresses', 'customers', 'order_addresses', 'transactions']);
    expect((await shop.api(`GET /customers/${stays.id}`)).body.data).toEqual(stays);
    expect((await shop.api('GET /customers?search=anonymized:1')).body.data).toHaveLength(1);
  });

  it('200 again for one who is anonymised, who is not changed any more', async () => {
    const shop = await store();
    const { id } = await customerOf(shop, { ...person, addresses: [place] });
    await order(shop, id);
    await shop.api(`DELETE /customers/${id}`);
    const before = (await shop.api(`GET /customers/${id}?include=addresses`)).body.data;
    expect((await shop.api(`DELETE /customers/${id}`)).status).toBe(200);
    const address = before.addresses.data[0].id;
    for (const [row, body] of [
      [`PUT /customers/${id}`, { first_name: 'Maria' }],
      [`POST /customers/${id}/addresses`, place],
      [`PUT /customers/${id}/addresses/${address}`, place],
    ] as const) {
      const { status, body: refused } = await shop.api(row, body);
      expect([status, refused.errors]).toEqual([
        422,
        { anonymized: ['Must not be an anonymised customer.'] },
      ]);
    }
    expect((await shop.api(`GET /customers/${id}?include=addresses`)).body.data).toEqual(before);
    expect(await customerOf(shop)).toMatchObject({ email: person.email });
  });

  it('404 for the customer of another store, who stays', async () => {
    const [shop, other] = [await store(), await store()];
    const { id } = await customerOf(shop);
    await order(shop, id);
    expect((await other.api(`DELETE /customers/${id}`)).status).toBe(404);
    expect((await shop.api(`GET /customers/${id}`)).body.data.anonymized).toBe(false);
  });
});

/** Those of these tables with a row of the store that tells of a person: by name, place, document or phone. */
async function traces(shop: TestStore, tables: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of tables) {
    const { results } = await env.STORE_0.prepare(`select * from ${table} where store_id = ?`)
      .bind(shop.id)
      .all();
    const telling = results.filter((row) =>
      /maria|cliente|529982|01310|testes|centro|paulo|1234|111444/i.test(JSON.stringify(row)),
    );
    if (telling.length > 1) throw new Error(`${table} tells of ${telling.length} people`);
    if (telling.length > 0) found.push(table);
  }
  return found;
}

/** An order of a customer, with the copies of personal data that come with one. */
async function order(shop: TestStore, customer: number) {
  const now = Date.now();
  // Far from the ids that orders are given by themselves.
  const id = 1e12 + customer;
  const stamps = { store_id: shop.id, created_at: now, updated_at: now };
  const amounts = ['products', 'shipment', 'discount', 'tax', 'total'].map((name) => [
    `value_${name}`,
    0,
  ]);
  await insert('orders', {
    id,
    number: id,
    customer_id: customer,
    status: 'waiting_payment',
    ...Object.fromEntries(amounts),
    buyer_value_total: 0,
    metadata: '[]',
    ...stamps,
  });
  await insert('order_addresses', { id, order_id: id, ...place, country: 'BR', ...stamps });
  await insert('transactions', {
    id,
    order_id: id,
    customer_id: customer,
    payment_id: 1,
    amount: 0,
    buyer_amount: 0,
    installments: 1,
    installment_value: 0,
    buyer_installment_value: 0,
    status: 'refused',
    truncated_card: '411111******1234',
    holder_name: 'MARIA T SILVA',
    holder_document: '52998224725',
    billet_url: 'https://boleto.test/maria',
    billet_whatsapp_link: 'https://wa.test/5511912345678',
    sent_to_antifraud: 0,
    total_logs: 0,
    metadata: '[]',
    ...stamps,
  });
}

async function insert(table: string, row: Record<string, string | number>) {
  const names = Object.keys(row);
  await env.STORE_0.prepare(
    `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
  )
    .bind(...Object.values(row))
    .run();
}
