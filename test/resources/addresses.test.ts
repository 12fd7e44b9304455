import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callWith, measured } from '../support/counted.ts';
import { eventsOf, subscribe } from '../support/events.ts';
import { person, place } from '../support/people.ts';
import { store } from '../support/store.ts';

const dateTime = expect.objectContaining({ timezone_type: 3 });

/** A store with a customer, and the path of the customer's addresses. */
async function home() {
  const shop = await store();
  const { body } = await shop.api('POST /customers', person);
  return {
    ...shop,
    customer: body.data.id as number,
    path: `/customers/${body.data.id}/addresses`,
  };
}

describe('POST /{alias}/customers/{id}/addresses', () => {
  it('201 with the codes as they are kept, and tells of it, in two round trips', async () => {
    const shop = await home();
    await subscribe(shop, ['customer.address.created', 'customer.created']);
    const { answer, data } = await measured(shop, `POST ${shop.path}`, place);
    expect(answer.status).toBe(201);
    expect(answer.body.data).toEqual({
      id: expect.any(Number),
      customer_id: shop.customer,
      ...place,
      zipcode: '01310100',
      state: 'SP',
      country: 'BR',
      created_at: dateTime,
      updated_at: dateTime,
    });
    expect(data.trips).toBe(2);
    const events = await eventsOf(shop);
    expect(events.map(({ event, resource }) => [event, resource])).toEqual([
      ['customer.address.created', answer.body.data],
    ]);
  });

  it('201 for an address abroad, whose codes are not those of Brazil', async () => {
    const shop = await home();
    const abroad = { ...place, country: 'gb', state: 'Greater London', zipcode: 'sw1a 1aa' };
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
      'a state that is none, and a code that is none',
      { state: 'London', zipcode: 'SW1A 1AA' },
      {
        zipcode: ['Must have eight digits in Brazil.'],
        state: [expect.stringContaining('SP')],
      },
    ],
    [
      'a country that is no code',
      { country: 'Brasil' },
      { country: ['Must be a country code of two letters, such as BR.'] },
    ],
    ['no street', { street: ' ' }, { street: ['Must not be empty.'] }],
    ['a null', { city: null }, { city: ['Must be text.'] }],
    [
      'a postal code of signs',
      { zipcode: '#1' },
      { zipcode: ['Must be a postal code of at most 12 letters and digits.'] },
    ],
  ])('422 for %s', async (_why, sent, errors) => {
    const shop = await home();
    const { status, body } = await shop.api(`POST ${shop.path}`, { ...place, ...sent });
    expect(status).toBe(422);
    expect(body.errors).toEqual(errors);
  });

  it('422 with everything that is missing', async () => {
    const shop = await home();
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

  it('404 below the customer of another store, and tells nobody', async () => {
    const [shop, other] = [await home(), await home()];
    await subscribe(other, ['customer.address.created']);
    expect((await other.api(`POST ${shop.path}`, place)).status).toBe(404);
    expect(await eventsOf(other)).toEqual([]);
    expect((await shop.api(`GET ${shop.path}`)).body.data).toEqual([]);
  });
});

describe('GET /{alias}/customers/{id}/addresses', () => {
  it('200 with those of the customer alone, searched and sorted, in one round trip', async () => {
    const shop = await home();
    const other = await shop.api('POST /customers', {
      ...person,
      email: 'outra@cliente.test',
      addresses: [place],
    });
    for (const city of ['Santos', 'Águas da Prata'])
      await shop.api(`POST ${shop.path}`, { ...place, city });
    const cities = async (query: string) =>
      (await shop.api(`GET ${shop.path}${query}`)).body.data.map(
        ({ city }: { city: string }) => city,
      );
    expect(await cities('')).toEqual(['Santos', 'Águas da Prata']);
    expect(await cities('?orderBy=city')).toEqual(['Águas da Prata', 'Santos']);
    expect(await cities('?search=aguas')).toEqual(['Águas da Prata']);
    const { data } = await measured(shop, `GET ${shop.path}`);
    expect(data.trips).toBe(1);
    const of = await shop.api(`GET /customers/${other.body.data.id}/addresses`);
    expect(of.body.meta.pagination.total).toBe(1);
  });
});

describe('/{alias}/customers/{customerId}/addresses/{id}', () => {
  it('GET 200, PUT 200 with what was sent changed, DELETE 200 and then 404', async () => {
    const shop = await home();
    const { data: made } = (await shop.api(`POST ${shop.path}`, place)).body;
    const one = `${shop.path}/${made.id}`;
    expect((await shop.api(`GET ${one}`)).body).toEqual({ data: made });
    await subscribe(shop, ['customer.address.created']);
    const changed = await shop.api(`PUT ${one}`, { number: '7', complement: null });
    expect(changed.body.data).toEqual({
      ...made,
      number: '7',
      complement: null,
      updated_at: changed.body.data.updated_at,
    });
    expect(await eventsOf(shop)).toEqual([]);
    const { answer, data } = await measured(shop, `DELETE ${one}`);
    expect([answer.status, answer.body, data.trips]).toEqual([200, {}, 1]);
    for (const verb of ['GET', 'PUT', 'DELETE']) {
      expect((await shop.api(`${verb} ${one}`, verb === 'PUT' ? {} : undefined)).status).toBe(404);
    }
  });

  it('422 for a change that does not fit what is stored, which stays', async () => {
    const shop = await home();
    const { data: made } = (await shop.api(`POST ${shop.path}`, place)).body;
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

  it('404 below another customer and in another store', async () => {
    const [shop, other] = [await home(), await home()];
    const { data: made } = (await shop.api(`POST ${shop.path}`, place)).body;
    const sibling = await shop.api('POST /customers', { ...person, email: 'b@cliente.test' });
    const misplaced = `/customers/${sibling.body.data.id}/addresses/${made.id}`;
    for (const verb of ['GET', 'PUT', 'DELETE']) {
      const body = verb === 'PUT' ? { number: '9' } : undefined;
      expect((await shop.api(`${verb} ${misplaced}`, body)).status).toBe(404);
      expect((await other.api(`${verb} ${shop.path}/${made.id}`, body)).status).toBe(404);
    }
    expect((await shop.api(`GET ${shop.path}/${made.id}`)).body.data).toEqual(made);
  });

  it('writes nothing for a customer who is anonymised between the reading and the writing', async () => {
    const shop = await home();
    const { data: made } = (await shop.api(`POST ${shop.path}`, place)).body;
    const anonymise = () =>
      env.STORE_0.prepare('update customers set anonymized = 1 where id = ?')
        .bind(shop.customer)
        .run();
    let batches = 0;
    const meddling = new Proxy(env.STORE_0, {
      get(target, name: keyof D1Database) {
        if (name !== 'batch') {
          const member: unknown = target[name];
          return typeof member === 'function' ? member.bind(target) : member;
        }
        return async (statements: D1PreparedStatement[]) => {
          batches += 1;
          if (batches === 2) await anonymise();
          return target.batch(statements);
        };
      },
    });
    const { status } = await callWith(
      shop,
      `PUT ${shop.path}/${made.id}`,
      { number: '9' },
      {
        STORE_0: meddling,
      },
    );
    expect([status, batches]).toEqual([422, 3]);
    expect((await shop.api(`GET ${shop.path}/${made.id}`)).body.data.number).toBe('100');
  });
});
