import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { measureRequest } from '../support/api/measure.ts';
import { createTestStore, type TestStore } from '../support/fixtures/store.ts';
import '../support/fixtures/first-shard.ts';

interface Listed {
  id: number;
  alias: string;
  config_id: number;
}

/** Creates a store. `path` returns the path of the configuration of a payment type. */
async function createShop() {
  const shop = await createTestStore({ withPayments: true });
  const { body } = await shop.api('GET /checkout/payments');
  const path = (alias: string) => {
    const { id, config_id } = body.data.find((payment: Listed) => payment.alias === alias);
    return `/checkout/payments/${id}/config/${config_id}`;
  };
  return { ...shop, path, listed: body.data as Listed[] };
}

const dateTime = {
  date: expect.stringMatching(/^\d{4}-\d\d-\d\d \d{1,2}:\d\d:\d\d$/),
  timezone_type: 3,
  timezone: 'America/Sao_Paulo',
};

describe('GET /{alias}/checkout/payments', () => {
  it('returns 200 with the six types of a new store, each with its inactive configuration', async () => {
    const { listed } = await createShop();
    expect(listed.map(({ alias }) => alias)).toEqual([
      'credit_card',
      'pix',
      'pix_in_installments',
      'billet',
      'deposit',
      'wallet',
    ]);
    expect(listed[1]).toEqual({
      id: expect.any(Number),
      alias: 'pix',
      name: 'Pix',
      has_config: true,
      active_config: false,
      is_credit_card: false,
      is_deposit: false,
      is_billet: false,
      is_pix: true,
      is_pix_in_installments: false,
      is_wallet: false,
      icon_url: null,
      config_id: expect.any(Number),
    });
    for (const one of listed) {
      const kinds = Object.entries(one).filter(([name, value]) => name.startsWith('is_') && value);
      expect(kinds.map(([name]) => name)).toEqual([`is_${one.alias}`]);
    }
    expect(new Set(listed.map(({ config_id }) => config_id)).size).toBe(6);
  });

  it('returns 200 in a store without payment types, which has them from then on', async () => {
    const { api } = await createTestStore();
    const first = (await api('GET /checkout/payments')).body;
    expect(first.meta.pagination.total).toBe(6);
    expect((await api('GET /checkout/payments')).body).toEqual(first);
    expect((await api('GET /checkout/payments?search=alias:gold')).body.data).toEqual([]);
    expect((await api('GET /checkout/payments')).body).toEqual(first);
  });

  it('creates the types once, even for concurrent requests', async () => {
    const { api, id } = await createTestStore();
    const responses = await Promise.all(
      Array.from({ length: 5 }, () => api('GET /checkout/payments')),
    );
    for (const { body } of responses) expect(body).toEqual(responses[0]?.body);
    const contracts = await env.STORE_0.prepare(
      'select count(*) as n from affiliations where store_id = ?',
    )
      .bind(id)
      .first('n');
    expect(contracts).toBe(1);
  });

  it('returns 200 searched and sorted by alias and name', async () => {
    const { api } = await createShop();
    const aliases = async (query: string) =>
      (await api(`GET /checkout/payments?${query}`)).body.data.map((one: Listed) => one.alias);
    expect(await aliases('search=PIX')).toEqual(['pix', 'pix_in_installments']);
    expect(await aliases('search=name:cartao')).toEqual(['credit_card']);
    expect(await aliases('orderBy=name&sortedBy=desc&limit=2')).toEqual([
      'pix_in_installments',
      'pix',
    ]);
  });

  it('shows whether a configuration is active', async () => {
    const { api, path } = await createShop();
    await api(`PUT ${path('billet')}`, { active: true });
    const { body } = await api('GET /checkout/payments?search=alias:billet');
    expect(body.data[0]).toMatchObject({ has_config: true, active_config: true });
  });

  it('costs one round trip', async () => {
    const { data } = await measureRequest(await createShop(), 'GET /checkout/payments');
    expect([data.roundTrips, data.statements]).toEqual([1, 3]);
  });
});

describe('GET /{alias}/checkout/payments/{paymentId}/config/{id}', () => {
  it('returns 200 with the defaults of a new store, and its own timestamps in ISO 8601', async () => {
    const { api, path, listed } = await createShop();
    const { status, body } = await api(`GET ${path('credit_card')}`);
    expect(status).toBe(200);
    expect(body).toEqual({
      id: listed[0]?.config_id,
      payment_id: listed[0]?.id,
      affiliation_id: null,
      active: false,
      default_display: false,
      spread: false,
      ignore_promotions: false,
      accumulate_discount: false,
      percent_discount: 0,
      min_installment_value: 0,
      max_installments_without_tax: 1,
      billet_expire_days: 3,
      days_to_cancel_unpaid_billets: 5,
      hours_to_cancel_unpaid_pix: 24,
      billet_instructions: null,
      installments: { data: [] },
      affiliation: { data: null },
      payment: { data: expect.objectContaining({ alias: 'credit_card', is_credit_card: true }) },
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/),
      updated_at: body.created_at,
    });
    expect(body.payment.data).not.toHaveProperty('config_id');
  });

  it('returns 404 below another payment type, and for the configuration of another store', async () => {
    const { api, listed } = await createShop();
    const [card, pix] = listed;
    const mixed = `/checkout/payments/${card?.id}/config/${pix?.config_id}`;
    expect((await api(`GET ${mixed}`)).status).toBe(404);
    expect((await api(`PUT ${mixed}`, { active: true })).status).toBe(404);
    const other = await createShop();
    expect((await api(`GET ${other.path('pix')}`)).status).toBe(404);
    expect((await api(`PUT ${other.path('pix')}`, { active: true })).status).toBe(404);
    expect((await other.api(`GET ${other.path('pix')}`)).body.active).toBe(false);
  });

  it('costs one round trip and one statement, which carries the guard', async () => {
    const shop = await createShop();
    const { data } = await measureRequest(shop, `GET ${shop.path('pix')}`);
    expect([data.roundTrips, data.statements]).toEqual([1, 1]);
  });
});

describe('PUT /{alias}/checkout/payments/{paymentId}/config/{id}', () => {
  it('returns 200 with every sent field changed, and no other', async () => {
    const { api, path } = await createShop();
    const sent = {
      active: true,
      spread: true,
      ignore_promotions: true,
      accumulate_discount: true,
      percent_discount: 7.25,
      min_installment_value: 19.99,
      max_installments_without_tax: 6,
      billet_expire_days: 10,
      days_to_cancel_unpaid_billets: 12,
      hours_to_cancel_unpaid_pix: 48,
      billet_instructions: 'Não receber após o vencimento.\nMulta de 2%.',
    };
    const { status, body } = await api(`PUT ${path('billet')}`, sent);
    expect(status).toBe(200);
    expect(body).toMatchObject({ ...sent, default_display: false });
    const again = await api(`PUT ${path('billet')}`, { spread: 0, billet_instructions: '' });
    expect(again.body).toMatchObject({ ...sent, spread: false, billet_instructions: null });
    expect((await api(`GET ${path('billet')}`)).body).toEqual(again.body);
  });

  it('returns 200 with the plan replaced and sorted; an installment that stays keeps its id', async () => {
    const { api, path, listed } = await createShop();
    const plan = async (installments: unknown) => {
      const { status, body } = await api(`PUT ${path('credit_card')}`, { installments });
      expect(status).toBe(200);
      return body.installments.data;
    };
    const first = await plan([
      { installment: 3, tax: 2.9999 },
      { installment: 1, percent_discount: 5, start_at: '2031-01-01 0:00:00', end_at: null },
    ]);
    expect(first).toEqual([
      {
        id: expect.any(Number),
        payment_id: listed[0]?.id,
        installment: 1,
        tax: 0,
        percent_discount: 5,
        start_at: { ...dateTime, date: '2031-01-01 0:00:00' },
        end_at: null,
        created_at: dateTime,
        updated_at: dateTime,
      },
      expect.objectContaining({ installment: 3, tax: 2.9999, percent_discount: 0, start_at: null }),
    ]);
    const second = await plan({ data: [{ installment: 2 }, { installment: 3, tax: 1 }] });
    expect(second.map((one: { installment: number }) => one.installment)).toEqual([2, 3]);
    expect(second[1].id).toBe(first[1].id);
    expect(second[1].tax).toBe(1);
    expect(await plan([])).toEqual([]);
  });

  it('returns 200 and removes default_display from the other configurations', async () => {
    const { api, path } = await createShop();
    await api(`PUT ${path('pix')}`, { default_display: true });
    const { body } = await api(`PUT ${path('billet')}`, { default_display: true });
    expect(body.default_display).toBe(true);
    expect((await api(`GET ${path('pix')}`)).body.default_display).toBe(false);
    const other = await createShop();
    await other.api(`PUT ${other.path('wallet')}`, { default_display: true });
    expect((await api(`GET ${path('billet')}`)).body.default_display).toBe(true);
  });

  it('returns 200 with an affiliation of the store, and with its gateway', async () => {
    const { api, path, id } = await createShop();
    const affiliation_id = await findAffiliationId(id);
    const { body } = await api(`PUT ${path('credit_card')}`, { affiliation_id });
    expect(body.affiliation_id).toBe(affiliation_id);
    expect(body.affiliation.data).toEqual({
      id: affiliation_id,
      active: true,
      backup: false,
      name: 'Manual',
      statement_descriptor: null,
      auto_capture: true,
      has_payment_config: true,
      capture_hour_delay: 24,
      force_minimum_tax: false,
      status: 'active',
      auth_type: 'none',
      gateway: {
        data: [
          {
            alias: 'manual',
            name: 'Manual',
            icon_url: null,
            allow_backup: false,
            installments_config: {
              allow_custom_installments: true,
              message: null,
              help_link: null,
            },
            auth_type: 'none',
            gateway_exists: true,
            params: { data: [] },
          },
        ],
      },
    });
    const without = await api(`PUT ${path('credit_card')}`, { affiliation_id: null });
    expect(without.body.affiliation).toEqual({ data: null });
  });

  it('shows that a gateway unknown to this service does not exist', async () => {
    const { api, path, id } = await createShop();
    const affiliation_id = await findAffiliationId(id);
    await env.STORE_0.prepare('update affiliations set gateways = ? where id = ?')
      .bind('["manual","gone"]', affiliation_id)
      .run();
    const { body } = await api(`PUT ${path('credit_card')}`, { affiliation_id });
    expect(body.affiliation.data.gateway.data).toMatchObject([
      { alias: 'manual', gateway_exists: true },
      { alias: 'gone', name: 'gone', gateway_exists: false },
    ]);
  });

  it('returns 422 for the affiliation of another store, and changes nothing', async () => {
    const { api, path } = await createShop();
    const affiliation_id = await findAffiliationId((await createShop()).id);
    const { status, body } = await api(`PUT ${path('pix')}`, { active: true, affiliation_id });
    expect(status).toBe(422);
    expect(body.errors).toEqual({ affiliation_id: ['No such affiliation in this store.'] });
    expect((await api(`GET ${path('pix')}`)).body.active).toBe(false);
  });

  it('returns 200 and the same record for {} and for the record as GET returned it', async () => {
    const { api, path, id } = await createShop();
    const full = {
      default_display: true,
      affiliation_id: await findAffiliationId(id),
      installments: [
        {
          installment: 2,
          tax: 1.5,
          start_at: '2030-05-05 12:00:00',
          end_at: '2030-06-05 12:00:00',
        },
      ],
    };
    await api(`PUT ${path('credit_card')}`, full);
    await env.STORE_0.prepare('update payment_configurations set updated_at = 1 where store_id = ?')
      .bind(id)
      .run();
    const { body: read } = await api(`GET ${path('credit_card')}`);
    for (const body of [{}, read]) {
      const again = await api(`PUT ${path('credit_card')}`, body);
      expect(again.body).toEqual(read);
      expect(again.headers.get('X-Warning')).toBeNull();
    }
  });

  it.each<[why: string, body: object, errors: object]>([
    ['null', { active: null }, { active: ['Must be true or false.'] }],
    [
      'too many installments',
      { max_installments_without_tax: 25 },
      { max_installments_without_tax: ['Must be a whole number from 1 to 24.'] },
    ],
    [
      'three decimals',
      { percent_discount: 1.234 },
      { percent_discount: ['Must be a number from 0 to 100 with at most two decimals.'] },
    ],
    [
      'days and hours out of range',
      {
        billet_expire_days: 61,
        days_to_cancel_unpaid_billets: 0,
        hours_to_cancel_unpaid_pix: 721,
      },
      {
        billet_expire_days: ['Must be a whole number from 1 to 60.'],
        days_to_cancel_unpaid_billets: ['Must be a whole number from 1 to 90.'],
        hours_to_cancel_unpaid_pix: ['Must be a whole number from 1 to 720.'],
      },
    ],
    [
      'a number that appears twice',
      { installments: [{ installment: 1 }, { installment: 1 }] },
      { 'installments.1.installment': ['Must not contain duplicates.'] },
    ],
    [
      'an installment without a number in a wrapped plan',
      { installments: { data: [{}] } },
      { 'installments.0.installment': ['Required.'] },
    ],
    [
      'a period that ends before it starts',
      {
        installments: [
          { installment: 1, start_at: '2031-02-01 0:00:00', end_at: '2031-01-01 0:00:00' },
        ],
      },
      { 'installments.0.end_at': ['Must be after start_at.'] },
    ],
    [
      'an invalid plan',
      { installments: 'all' },
      { installments: ['Must be an array of at most 24 items.'] },
    ],
    [
      'instructions that are too long',
      { billet_instructions: 'x'.repeat(501) },
      { billet_instructions: ['Must be at most 500 characters.'] },
    ],
  ])('returns 422 for %s', async (_why, sent, errors) => {
    const { api, path } = await createShop();
    const { status, body } = await api(`PUT ${path('pix')}`, sent);
    expect(status).toBe(422);
    expect(body.errors).toEqual(errors);
  });

  it('costs two round trips', async () => {
    const shop = await createShop();
    const { data } = await measureRequest(shop, `PUT ${shop.path('pix')}`, {
      default_display: true,
      installments: Array.from({ length: 24 }, (_, index) => ({ installment: index + 1 })),
    });
    expect(data.roundTrips).toBe(2);
  });
});

async function findAffiliationId(store: TestStore['id']): Promise<number> {
  const row = await env.STORE_0.prepare('select id from affiliations where store_id = ?')
    .bind(store)
    .first<{ id: number }>();
  return row!.id;
}
