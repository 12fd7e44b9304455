import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { callWithBindings, measureRequest } from '../../support/api/measure.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { sampleCustomer, sampleAddress } from '../../support/fixtures/sample-data.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';
import '../../support/fixtures/first-shard.ts';

const companyBody = {
  email: 'compras@empresa.test',
  first_name: 'Empresa de Teste Ltda.',
  last_name: null,
  type: 'j',
  cnpj: '12.abc.345/01de-35',
  phone: null,
};

const dateTime = expect.objectContaining({ timezone_type: 3, timezone: 'America/Sao_Paulo' });

async function createCustomer(shop: TestStore, body: object = sampleCustomer) {
  const { status, body: made } = await shop.api('POST /customers', body);
  expect(status, JSON.stringify(made)).toBe(201);
  return made.data;
}

afterEach(() => vi.restoreAllMocks());

describe('POST /{alias}/customers', () => {
  it('returns 201 with documents and phone stored without punctuation', async () => {
    const shop = await createTestStore();
    expect(await createCustomer(shop)).toEqual({
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
    expect(await createCustomer(shop, companyBody)).toMatchObject({
      type: 'j',
      cpf: null,
      cnpj: '12ABC34501DE35',
      last_name: null,
      phone: null,
    });
  });

  it('publishes the customer with all addresses, then each address, in one batch', async () => {
    const shop = await createTestStore();
    await subscribeEndpoint(shop, ['customer.created', 'customer.address.created']);
    const addresses = [sampleAddress, { ...sampleAddress, number: '200' }];
    const { data } = await measureRequest(shop, 'POST /customers', {
      ...sampleCustomer,
      addresses,
    });
    expect(data.roundTrips).toBe(2);
    const { body: read } = await shop.api('GET /customers?include=addresses');
    const [customer] = read.data;
    expect(customer.addresses.data.map(({ number }: { number: string }) => number)).toEqual([
      '100',
      '200',
    ]);
    const events = await recordedEvents(shop);
    expect(events.map(({ event, resource }) => ({ event, resource }))).toEqual([
      { event: 'customer.created', resource: customer },
      { event: 'customer.address.created', resource: customer.addresses.data[0] },
      { event: 'customer.address.created', resource: customer.addresses.data[1] },
    ]);
  });

  it('returns 422 for an e-mail address that is taken in any letter case, and stores and publishes nothing', async () => {
    const shop = await createTestStore();
    await createCustomer(shop);
    await subscribeEndpoint(shop, ['customer.created', 'customer.address.created']);
    const again = {
      ...sampleCustomer,
      email: 'MARIA.teste@CLIENTE.test',
      addresses: [sampleAddress],
    };
    const { status, body } = await shop.api('POST /customers', again);
    expect(status).toBe(422);
    expect(body.errors).toEqual({ email: ['Already taken.'] });
    expect(await recordedEvents(shop)).toEqual([]);
    expect((await shop.api('GET /customers')).body.meta.pagination.total).toBe(1);
    expect(await createCustomer(await createTestStore())).toMatchObject({
      email: sampleCustomer.email,
    });
  });

  it('accepts one of many concurrent requests with the same e-mail address', async () => {
    const shop = await createTestStore();
    const responses = await Promise.all(
      Array.from({ length: 6 }, () => shop.api('POST /customers', sampleCustomer)),
    );
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201, 422, 422, 422, 422, 422,
    ]);
  });

  it('returns 422 with each missing field', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /customers', {});
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual(['email', 'first_name', 'last_name', 'type', 'phone']);
  });

  it.each<[why: string, sent: object, errors: object]>([
    ['a person without a CPF', { cpf: null }, { cpf: ['Required when type is f.'] }],
    ['a company without a CNPJ', { type: 'j', cpf: null }, { cnpj: ['Required when type is j.'] }],
    [
      'the documents of both types',
      { cnpj: companyBody.cnpj },
      { cnpj: ['Must be null when type is f.'] },
    ],
    ['a CPF with wrong check digits', { cpf: '529.982.247-26' }, { cpf: ['Must be a valid CPF.'] }],
    [
      'a CNPJ with wrong check digits',
      { type: 'j', cpf: null, cnpj: '11.222.333/0001-82' },
      { cnpj: ['Must be a valid CNPJ.'] },
    ],
    ['an unknown type', { type: 'x' }, { type: ['Must be one of f, j.'] }],
    ['an invalid e-mail address', { email: 'maria' }, { email: ['Must be an e-mail address.'] }],
    [
      'a phone of letters',
      { phone: 'call me' },
      { phone: ['Must be a phone number of 8 to 15 digits.'] },
    ],
    ['a name of only HTML tags', { first_name: '<b></b>' }, { first_name: ['Must not be empty.'] }],
    [
      'an address in an unknown state',
      { addresses: [sampleAddress, { ...sampleAddress, state: 'XX' }] },
      { 'addresses.1.state': [expect.stringMatching(/^Must be one of AC, .* TO in Brazil\.$/)] },
    ],
    [
      'too many addresses',
      { addresses: Array(11).fill(sampleAddress) },
      { addresses: ['Must be an array of at most 10 items.'] },
    ],
  ])('returns 422 for %s', async (_why, sent, errors) => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /customers', { ...sampleCustomer, ...sent });
    expect(status).toBe(422);
    expect(body.errors).toEqual(errors);
  });

  it('logs nothing about a person, whatever the outcome of the request', async () => {
    const shop = await createTestStore();
    const lines: string[] = [];
    for (const level of ['log', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
    }
    await measureRequest(shop, 'POST /customers', {
      ...sampleCustomer,
      addresses: [sampleAddress],
    });
    await measureRequest(shop, 'POST /customers', sampleCustomer);
    await measureRequest(shop, 'POST /customers', { ...sampleCustomer, phone: 'mistaken' });
    await measureRequest(shop, `GET /customers?search=${sampleCustomer.email}&q=Maria`);
    const broken = fakeDatabase({ prepare: () => null, batch: () => null });
    const failed = await callWithBindings(shop, 'POST /customers', sampleCustomer, {
      STORE_0: broken,
    });
    expect(failed.status).toBe(500);
    expect(lines).toHaveLength(6);
    const text = lines.join('\n');
    for (const value of ['aria', 'cliente.test', '5299822', '529.982', '91234', 'Testes']) {
      expect(text).not.toContain(value);
    }
  });
});

describe('GET /{alias}/customers', () => {
  it('returns 200 with customers by name, e-mail address, document and phone, and sorted', async () => {
    const shop = await createTestStore();
    const maria = await createCustomer(shop);
    const firm = await createCustomer(shop, companyBody);
    const jose = await createCustomer(shop, {
      ...sampleCustomer,
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

  it('returns 200 with the customers of a city and a state, without case and accents, each once', async () => {
    const shop = await createTestStore();
    const [sp, rs, rn] = [
      sampleAddress,
      { ...sampleAddress, city: 'Santa Maria', state: 'RS', zipcode: '97010-000' },
      { ...sampleAddress, city: 'Santa Maria', state: 'RN', zipcode: '59464-000' },
    ];
    const make = async (email: string, addresses: readonly object[]) =>
      (await createCustomer(shop, { ...companyBody, email, addresses })).id as number;
    const both = await make('a@x.test', [sp, { ...sp, number: '2' }, rs]);
    const far = await make('b@x.test', [rn, { ...sp, city: 'Campinas' }]);
    const abroad = await make('c@x.test', [
      { ...sp, city: 'München', state: 'Bayern', country: 'DE' },
    ]);
    const other = await createTestStore();
    await createCustomer(other, { ...companyBody, addresses: [sp] });
    const found = async (query: string) => {
      const { status, body } = await shop.api(`GET /customers?${query}`);
      const ids = body.data.map(({ id }: { id: number }) => id);
      return [status, body.meta.pagination.total, ...ids];
    };
    expect(await found('city=SAO%20PAULO')).toEqual([200, 1, both]);
    expect(await found('city=santa+maria')).toEqual([200, 2, both, far]);
    expect(await found('city=santa')).toEqual([200, 0]);
    expect(await found('city=Campinas,São Paulo')).toEqual([200, 2, both, far]);
    expect(await found('state=sp')).toEqual([200, 2, both, far]);
    expect(await found('state=BAYERN')).toEqual([200, 1, abroad]);
    // Both of one address: this customer lives in another Santa Maria, and in São Paulo.
    expect(await found('city=santa+maria&state=RN')).toEqual([200, 1, far]);
    expect(await found('city=santa+maria&state=SP')).toEqual([200, 0]);
    expect(await found('city=santa+maria&q=b@x')).toEqual([200, 1, far]);
    await shop.api(`DELETE /customers/${far}`);
    expect(await found('city=santa+maria')).toEqual([200, 1, both]);
  });

  it('returns 200 with the addresses when include names them, in one round trip', async () => {
    const shop = await createTestStore();
    await createCustomer(shop, { ...sampleCustomer, addresses: [sampleAddress] });
    const { response, data } = await measureRequest(shop, 'GET /customers?include=addresses');
    expect(response.body.data[0].addresses.data).toHaveLength(1);
    expect([data.roundTrips, data.statements]).toEqual([1, 2]);
    expect((await shop.api('GET /customers')).body.data[0]).not.toHaveProperty('addresses');
  });
});

describe('GET /{alias}/customers/{id}', () => {
  it('returns 200 for a customer of the store, and 404 for a customer of another store', async () => {
    const [shop, other] = [await createTestStore(), await createTestStore()];
    const created = await createCustomer(shop);
    const { status, body } = await shop.api(`GET /customers/${created.id}`);
    expect([status, body]).toEqual([200, { data: created }]);
    expect((await other.api(`GET /customers/${created.id}`)).status).toBe(404);
    const { body: full } = await shop.api(`GET /customers/${created.id}?include=addresses`);
    expect(full.data.addresses).toEqual({ data: [] });
  });
});

describe('PUT /{alias}/customers/{id}', () => {
  it('returns 200 with the changes, and publishes no event', async () => {
    const shop = await createTestStore();
    const created = await createCustomer(shop);
    await subscribeEndpoint(shop, ['customer.created', 'customer.address.created']);
    const { response, data } = await measureRequest(shop, `PUT /customers/${created.id}`, {
      email: 'maria@outra.test',
      phone: null,
    });
    expect(response.status).toBe(200);
    expect(response.body.data).toEqual({
      ...created,
      email: 'maria@outra.test',
      phone: null,
      updated_at: response.body.data.updated_at,
    });
    expect(data.roundTrips).toBe(2);
    expect(await recordedEvents(shop)).toEqual([]);
  });

  it('returns 200 for another type, and removes the document of the old type', async () => {
    const shop = await createTestStore();
    const { id } = await createCustomer(shop);
    const { body } = await shop.api(`PUT /customers/${id}`, { type: 'j', cnpj: companyBody.cnpj });
    expect(body.data).toMatchObject({ type: 'j', cpf: null, cnpj: '12ABC34501DE35' });
  });

  it.each<[why: string, sent: object, errors: object]>([
    ['another type without its document', { type: 'j' }, { cnpj: ['Required when type is j.'] }],
    ['the removal of its document', { cpf: null }, { cpf: ['Required when type is f.'] }],
    [
      'the document of the other type',
      { cnpj: companyBody.cnpj },
      { cnpj: ['Must be null when type is f.'] },
    ],
    [
      'both documents with another type',
      { type: 'j', cnpj: companyBody.cnpj, cpf: sampleCustomer.cpf },
      { cpf: ['Must be null when type is j.'] },
    ],
    ['an invalid e-mail address', { email: null }, { email: ['Must be an e-mail address.'] }],
  ])('returns 422 for %s', async (_why, sent, errors) => {
    const shop = await createTestStore();
    const created = await createCustomer(shop);
    const { status, body } = await shop.api(`PUT /customers/${created.id}`, sent);
    expect(status).toBe(422);
    expect(body.errors).toEqual(errors);
    expect((await shop.api(`GET /customers/${created.id}`)).body.data).toEqual(created);
  });

  it('returns 422 for the e-mail address of another customer', async () => {
    const shop = await createTestStore();
    const created = await createCustomer(shop);
    await createCustomer(shop, companyBody);
    const { status, body } = await shop.api(`PUT /customers/${created.id}`, {
      email: companyBody.email.toUpperCase(),
    });
    expect([status, body.errors]).toEqual([422, { email: ['Already taken.'] }]);
  });

  it('never leaves a customer with the documents of both types, even after concurrent changes', async () => {
    const shop = await createTestStore();
    const { id } = await createCustomer(shop);
    await Promise.all([
      shop.api(`PUT /customers/${id}`, { type: 'j', cnpj: companyBody.cnpj }),
      shop.api(`PUT /customers/${id}`, { cpf: '111.444.777-35' }),
      shop.api(`PUT /customers/${id}`, { type: 'f', cpf: sampleCustomer.cpf }),
      shop.api(`PUT /customers/${id}`, { type: 'j', cnpj: '11.222.333/0001-81' }),
    ]);
    const { type, cpf, cnpj } = (await shop.api(`GET /customers/${id}`)).body.data;
    expect(type === 'f' ? [cpf !== null, cnpj] : [cnpj !== null, cpf]).toEqual([true, null]);
  });
});

describe('DELETE /{alias}/customers/{id}', () => {
  it('returns 200 and deletes a customer without orders with all addresses, in one round trip', async () => {
    const shop = await createTestStore();
    const { id } = await createCustomer(shop, { ...sampleCustomer, addresses: [sampleAddress] });
    const { response, data } = await measureRequest(shop, `DELETE /customers/${id}`);
    expect([response.status, response.body, data.roundTrips]).toEqual([200, {}, 1]);
    expect((await shop.api(`GET /customers/${id}`)).status).toBe(404);
    expect((await shop.api(`DELETE /customers/${id}`)).status).toBe(404);
    expect((await shop.api('GET /customers')).body.meta.pagination.total).toBe(0);
    expect(await findPersonalData(shop, ['addresses', 'customers'])).toEqual([]);
    // The e-mail address is free again; the id is not reused.
    expect((await createCustomer(shop)).id).toBeGreaterThan(id);
  });

  it('returns 200 and anonymises a customer with orders, so that no personal data remains anywhere', async () => {
    const shop = await createTestStore();
    const { id } = await createCustomer(shop, { ...sampleCustomer, addresses: [sampleAddress] });
    const stays = await createCustomer(shop, {
      ...sampleCustomer,
      email: 'outra@cliente.test',
      cpf: '111.444.777-35',
      addresses: [sampleAddress],
    });
    await insertOrder(shop, id);
    await insertOrder(shop, stays.id);
    const { response, data } = await measureRequest(shop, `DELETE /customers/${id}`);
    expect([response.status, response.body, data.roundTrips]).toEqual([200, {}, 1]);
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
    // Every table with personal data now has only that of the other customer.
    expect(
      await findPersonalData(shop, ['addresses', 'customers', 'order_addresses', 'transactions']),
    ).toEqual(['addresses', 'customers', 'order_addresses', 'transactions']);
    expect((await shop.api(`GET /customers/${stays.id}`)).body.data).toEqual(stays);
    expect((await shop.api('GET /customers?search=anonymized:1')).body.data).toHaveLength(1);
  });

  it('returns 200 again for an anonymised customer, who cannot be changed any more', async () => {
    const shop = await createTestStore();
    const { id } = await createCustomer(shop, { ...sampleCustomer, addresses: [sampleAddress] });
    await insertOrder(shop, id);
    await shop.api(`DELETE /customers/${id}`);
    const before = (await shop.api(`GET /customers/${id}?include=addresses`)).body.data;
    expect((await shop.api(`DELETE /customers/${id}`)).status).toBe(200);
    const address = before.addresses.data[0].id;
    for (const [row, body] of [
      [`PUT /customers/${id}`, { first_name: 'Maria' }],
      [`POST /customers/${id}/addresses`, sampleAddress],
      [`PUT /customers/${id}/addresses/${address}`, sampleAddress],
    ] as const) {
      const { status, body: refused } = await shop.api(row, body);
      expect([status, refused.errors]).toEqual([
        422,
        { anonymized: ['Must not be an anonymised customer.'] },
      ]);
    }
    expect((await shop.api(`GET /customers/${id}?include=addresses`)).body.data).toEqual(before);
    expect(await createCustomer(shop)).toMatchObject({ email: sampleCustomer.email });
  });

  it('returns 404 for the customer of another store, and keeps that customer', async () => {
    const [shop, other] = [await createTestStore(), await createTestStore()];
    const { id } = await createCustomer(shop);
    await insertOrder(shop, id);
    expect((await other.api(`DELETE /customers/${id}`)).status).toBe(404);
    expect((await shop.api(`GET /customers/${id}`)).body.data.anonymized).toBe(false);
  });
});

/**
 * Returns the names of those tables that hold a name, place, document or phone of a person in the
 * store.
 */
async function findPersonalData(shop: TestStore, tables: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const table of tables) {
    const { results } = await env.STORE_0.prepare(`select * from ${table} where store_id = ?`)
      .bind(shop.id)
      .all();
    const personalRows = results.filter((row) =>
      /maria|cliente|529982|01310|testes|centro|paulo|1234|111444/i.test(JSON.stringify(row)),
    );
    if (personalRows.length > 1)
      throw new Error(`${table} has personal data of ${personalRows.length} people`);
    if (personalRows.length > 0) found.push(table);
  }
  return found;
}

/** Inserts an order of a customer with its copies of personal data. */
async function insertOrder(shop: TestStore, customer: number) {
  const now = Date.now();
  // Far from the ids that the service assigns.
  const id = 1e12 + customer;
  const stamps = { store_id: shop.id, created_at: now, updated_at: now };
  const amounts = ['products', 'shipment', 'discount', 'tax', 'total'].map((name) => [
    `value_${name}`,
    0,
  ]);
  await insertRow('orders', {
    id,
    number: id,
    customer_id: customer,
    status: 'waiting_payment',
    ...Object.fromEntries(amounts),
    buyer_value_total: 0,
    metadata: '[]',
    ...stamps,
  });
  await insertRow('order_addresses', {
    id,
    order_id: id,
    ...sampleAddress,
    country: 'BR',
    ...stamps,
  });
  await insertRow('transactions', {
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

async function insertRow(table: string, row: Record<string, string | number>) {
  const names = Object.keys(row);
  await env.STORE_0.prepare(
    `insert into ${table} (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
  )
    .bind(...Object.values(row))
    .run();
}
