import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callWithBindings, measureRequest } from '../../support/api/measure.ts';
import { fakeDatabase } from '../../support/fakes/fake-database.ts';
import { sampleCustomer, sampleAddress } from '../../support/fixtures/sample-data.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import '../../support/fixtures/first-shard.ts';
import { recordedEvents, subscribeEndpoint } from '../../support/webhooks/recorded-events.ts';

const dateTime = expect.objectContaining({ timezone_type: 3 });

/** Creates a store with a customer. `path` is that of the addresses of the customer. */
async function createStoreWithCustomer() {
  const shop = await createTestStore();
  const { body } = await shop.api('POST /customers', sampleCustomer);
  return {
    ...shop,
    customer: body.data.id as number,
    path: `/customers/${body.data.id}/addresses`,
  };
}

describe('POST /{alias}/customers/{id}/addresses', () => {
  it('returns 201 with the stored codes and publishes an event, in two round trips', async () => {
    const shop = await createStoreWithCustomer();
    await subscribeEndpoint(shop, ['customer.address.created', 'customer.created']);
    const { response, data } = await measureRequest(shop, `POST ${shop.path}`, sampleAddress);
    expect(response.status).toBe(201);
    expect(response.body.data).toEqual({
      id: expect.any(Number),
      customer_id: shop.customer,
      ...sampleAddress,
      zipcode: '01310100',
      state: 'SP',
      country: 'BR',
      created_at: dateTime,
      updated_at: dateTime,
    });
    expect(data.roundTrips).toBe(2);
    const events = await recordedEvents(shop);
    expect(events.map(({ event, resource }) => [event, resource])).toEqual([
      ['customer.address.created', response.body.data],
    ]);
  });

  it('returns 201 for an address abroad, whose codes differ from those of Brazil', async () => {
    const shop = await createStoreWithCustomer();
    const abroad = {
      ...sampleAddress,
      country: 'gb',
      state: 'Greater London',
      zipcode: 'sw1a 1aa',
    };
    const { body } = await shop.api(`POST ${shop.path}`, abroad);
    expect(body.data).toMatchObject({
      country: 'GB',
      state: 'Greater London',
      zipcode: 'SW1A 1AA',
    });
  });

  it.each<[why: string, sent: object, errors: object]>([
    [
      'a CEP of seven digits',
      { zipcode: '0131010' },
      { zipcode: ['Must have eight digits in Brazil.'] },
    ],
    [
      'an unknown state and an invalid CEP',
      { state: 'London', zipcode: 'SW1A 1AA' },
      {
        zipcode: ['Must have eight digits in Brazil.'],
        state: [expect.stringContaining('SP')],
      },
    ],
    [
      'a country that is not a code',
      { country: 'Brasil' },
      { country: ['Must be a country code of two letters, such as BR.'] },
    ],
    ['a missing street', { street: ' ' }, { street: ['Must not be empty.'] }],
    ['a null', { city: null }, { city: ['Must be text.'] }],
    [
      'a postal code of punctuation',
      { zipcode: '#1' },
      { zipcode: ['Must be a postal code of at most 12 letters and digits.'] },
    ],
  ])('returns 422 for %s', async (_why, sent, errors) => {
    const shop = await createStoreWithCustomer();
    const { status, body } = await shop.api(`POST ${shop.path}`, { ...sampleAddress, ...sent });
    expect(status).toBe(422);
    expect(body.errors).toEqual(errors);
  });

  it('returns 422 with each missing field', async () => {
    const shop = await createStoreWithCustomer();
    const { status, body } = await shop.api(`POST ${shop.path}`, {});
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual([
      'receiver',
      'zipcode',
      'street',
      'number',
      'neighborhood',
      'city',
      'state',
    ]);
  });

  it('returns 404 below the customer of another store, and publishes no event', async () => {
    const [shop, other] = [await createStoreWithCustomer(), await createStoreWithCustomer()];
    await subscribeEndpoint(other, ['customer.address.created']);
    expect((await other.api(`POST ${shop.path}`, sampleAddress)).status).toBe(404);
    expect(await recordedEvents(other)).toEqual([]);
    expect((await shop.api(`GET ${shop.path}`)).body.data).toEqual([]);
  });
});

describe('GET /{alias}/customers/{id}/addresses', () => {
  it('returns 200 with the addresses of the customer only, searched and sorted, in one round trip', async () => {
    const shop = await createStoreWithCustomer();
    const other = await shop.api('POST /customers', {
      ...sampleCustomer,
      email: 'outra@cliente.test',
      addresses: [sampleAddress],
    });
    for (const city of ['Santos', 'Águas da Prata'])
      await shop.api(`POST ${shop.path}`, { ...sampleAddress, city });
    const cities = async (query: string) =>
      (await shop.api(`GET ${shop.path}${query}`)).body.data.map(
        ({ city }: { city: string }) => city,
      );
    expect(await cities('')).toEqual(['Santos', 'Águas da Prata']);
    expect(await cities('?orderBy=city')).toEqual(['Águas da Prata', 'Santos']);
    expect(await cities('?search=aguas')).toEqual(['Águas da Prata']);
    const { data } = await measureRequest(shop, `GET ${shop.path}`);
    expect(data.roundTrips).toBe(1);
    const of = await shop.api(`GET /customers/${other.body.data.id}/addresses`);
    expect(of.body.meta.pagination.total).toBe(1);
  });
});

describe('GET, PUT and DELETE /{alias}/customers/{customerId}/addresses/{id}', () => {
  it('GET returns 200, PUT returns 200 with the changes, DELETE returns 200 and then 404', async () => {
    const shop = await createStoreWithCustomer();
    const { data: made } = (await shop.api(`POST ${shop.path}`, sampleAddress)).body;
    const one = `${shop.path}/${made.id}`;
    expect((await shop.api(`GET ${one}`)).body).toEqual({ data: made });
    await subscribeEndpoint(shop, ['customer.address.created']);
    const changed = await shop.api(`PUT ${one}`, { number: '7', complement: null });
    expect(changed.body.data).toEqual({
      ...made,
      number: '7',
      complement: null,
      updated_at: changed.body.data.updated_at,
    });
    expect(await recordedEvents(shop)).toEqual([]);
    const { response, data } = await measureRequest(shop, `DELETE ${one}`);
    expect([response.status, response.body, data.roundTrips]).toEqual([200, {}, 1]);
    for (const verb of ['GET', 'PUT', 'DELETE']) {
      expect((await shop.api(`${verb} ${one}`, verb === 'PUT' ? {} : undefined)).status).toBe(404);
    }
  });

  it('returns 422 for a change that is invalid together with the stored address, and keeps that', async () => {
    const shop = await createStoreWithCustomer();
    const { data: made } = (await shop.api(`POST ${shop.path}`, sampleAddress)).body;
    const one = `${shop.path}/${made.id}`;
    const away = await shop.api(`PUT ${one}`, { country: 'PT', zipcode: '1000-001' });
    expect(away.body.data).toMatchObject({ country: 'PT', zipcode: '1000-001', state: 'SP' });
    const back = await shop.api(`PUT ${one}`, { country: 'BR' });
    expect([back.status, back.body.errors]).toEqual([
      422,
      { zipcode: ['Must have eight digits in Brazil.'] },
    ]);
    expect((await shop.api(`GET ${one}`)).body.data).toEqual(away.body.data);
  });

  it('returns 404 below another customer and in another store', async () => {
    const [shop, other] = [await createStoreWithCustomer(), await createStoreWithCustomer()];
    const { data: made } = (await shop.api(`POST ${shop.path}`, sampleAddress)).body;
    const sibling = await shop.api('POST /customers', {
      ...sampleCustomer,
      email: 'b@cliente.test',
    });
    const misplaced = `/customers/${sibling.body.data.id}/addresses/${made.id}`;
    for (const verb of ['GET', 'PUT', 'DELETE']) {
      const body = verb === 'PUT' ? { number: '9' } : undefined;
      expect((await shop.api(`${verb} ${misplaced}`, body)).status).toBe(404);
      expect((await other.api(`${verb} ${shop.path}/${made.id}`, body)).status).toBe(404);
    }
    expect((await shop.api(`GET ${shop.path}/${made.id}`)).body.data).toEqual(made);
  });

  it('writes nothing for a customer who is anonymised between reading and writing', async () => {
    const shop = await createStoreWithCustomer();
    const { data: made } = (await shop.api(`POST ${shop.path}`, sampleAddress)).body;
    const anonymise = () =>
      env.STORE_0.prepare('update customers set anonymized = 1 where id = ?')
        .bind(shop.customer)
        .run();
    let batches = 0;
    const interceptingDb = fakeDatabase({
      prepare: (sql: string) => env.STORE_0.prepare(sql),
      batch: async (statements: D1PreparedStatement[]) => {
        batches += 1;
        if (batches === 2) await anonymise();
        return env.STORE_0.batch(statements);
      },
    });
    const { status } = await callWithBindings(
      shop,
      `PUT ${shop.path}/${made.id}`,
      { number: '9' },
      {
        STORE_0: interceptingDb,
      },
    );
    expect([status, batches]).toEqual([422, 3]);
    expect((await shop.api(`GET ${shop.path}/${made.id}`)).body.data.number).toBe('100');
  });
});
