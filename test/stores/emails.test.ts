import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { unseal } from '../../src/base/crypto/seal.ts';
import { settingsOf } from '../../src/base/settings.ts';
import { measureRequest } from '../support/api/measure.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import '../support/fixtures/first-shard.ts';

const account = {
  host: 'smtp.loja.test',
  port: 587,
  username: 'loja',
  password: ' p@ss<b>wörd ',
  from: 'contato@loja.test',
  name: 'Empório Ipê',
};

const readStoredConfiguration = (id: number) =>
  env.STORE_0.prepare('select * from email_configurations where store_id = ?')
    .bind(id)
    .first<Record<string, string | number>>();

afterEach(() => vi.restoreAllMocks());

describe('POST /{alias}/config/emails', () => {
  it('returns 200 with the sender of e-mails, and never with the mail server', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /config/emails', account);
    expect(status).toBe(200);
    expect(body).toEqual({
      data: {
        id: expect.any(Number),
        active: true,
        show_order_number: true,
        order_number: '',
        from: 'contato@loja.test',
        name: 'Empório Ipê',
        product_review_days: 7,
        resume_values: '',
        created_at: expect.objectContaining({ timezone_type: 3 }),
        updated_at: body.data.created_at,
      },
    });
  });

  it('stores the password sealed for this store only, byte for byte', async () => {
    const shop = await createTestStore();
    await shop.api('POST /config/emails', account);
    const row = await readStoredConfiguration(shop.id);
    expect(JSON.stringify(row)).not.toContain('p@ss');
    expect(row).toMatchObject({ host: 'smtp.loja.test', port: 587, encryption: 'tls' });
    const { sealingKeys } = settingsOf(env);
    const sealed = String(row?.password_sealed);
    expect(await unseal(sealingKeys, sealed, `email-password:${shop.id}`)).toBe(account.password);
    await expect(unseal(sealingKeys, sealed, `email-password:${shop.id + 1}`)).rejects.toThrow();
  });

  it('returns 200 and replaces the configuration under the same id', async () => {
    const shop = await createTestStore();
    const first = (await shop.api('POST /config/emails', account)).body.data;
    const other = { ...account, name: 'Outro', password: 'other', encryption: 'StartTLS' };
    const { body } = await shop.api('POST /config/emails', other);
    expect(body.data).toEqual({ ...first, name: 'Outro', updated_at: body.data.updated_at });
    const row = await readStoredConfiguration(shop.id);
    expect(row?.encryption).toBe('starttls');
    const { sealingKeys } = settingsOf(env);
    const place = `email-password:${shop.id}`;
    expect(await unseal(sealingKeys, String(row?.password_sealed), place)).toBe('other');
  });

  it('moves updated_at only when something changes, even if only the password does', async () => {
    const shop = await createTestStore();
    await shop.api('POST /config/emails', account);
    await env.STORE_0.prepare('update email_configurations set updated_at = 1 where store_id = ?')
      .bind(shop.id)
      .run();
    await shop.api('POST /config/emails', account);
    expect((await readStoredConfiguration(shop.id))?.updated_at).toBe(1);
    await shop.api('POST /config/emails', { ...account, password: 'changed' });
    expect((await readStoredConfiguration(shop.id))?.updated_at).not.toBe(1);
  });

  it('replaces a password that no sealing key opens any more', async () => {
    const shop = await createTestStore();
    await shop.api('POST /config/emails', account);
    await env.STORE_0.prepare(
      "update email_configurations set password_sealed = 'v1.AAAA' where store_id = ?",
    )
      .bind(shop.id)
      .run();
    expect((await shop.api('POST /config/emails', account)).status).toBe(200);
    expect(
      String((await readStoredConfiguration(shop.id))?.password_sealed).length,
    ).toBeGreaterThan(20);
  });

  it('returns 200 for each of many concurrent requests, and stores one configuration', async () => {
    const shop = await createTestStore();
    const responses = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        shop.api('POST /config/emails', { ...account, name: `Nome ${index}` }),
      ),
    );
    expect(responses.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(responses.map(({ body }) => body.data.id)).size).toBe(1);
  });

  it('returns 422 with each missing field', async () => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /config/emails', {});
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toEqual([
      'host',
      'port',
      'username',
      'password',
      'from',
      'name',
    ]);
    expect((await api('GET /config/emails')).status).toBe(404);
  });

  it.each([
    ['host', 'not a host', 'Must be a host name or an IP address.'],
    ['host', '-smtp.test', 'Must be a host name or an IP address.'],
    ['port', 0, 'Must be a whole number from 1 to 65,535.'],
    ['port', '587', 'Must be a whole number from 1 to 65,535.'],
    ['username', '', 'Must not be empty.'],
    ['password', '', 'Must not be empty.'],
    ['password', 'x'.repeat(256), 'Must be at most 255 characters.'],
    ['from', 'nobody', 'Must be an e-mail address.'],
    ['name', null, 'Must be text.'],
    ['encryption', 'rot13', 'Must be one of tls, ssl, starttls, none.'],
  ])('returns 422 for %s %j', async (field, value, sentence) => {
    const { api } = await createTestStore();
    const { status, body } = await api('POST /config/emails', { ...account, [field]: value });
    expect(status).toBe(422);
    expect(body.errors).toEqual({ [field]: [sentence] });
  });

  it.each(['mail.example.com', 'localhost', '192.0.2.7', '2001:db8::1'])(
    'accepts the host %s',
    async (host) => {
      const { api } = await createTestStore();
      expect((await api('POST /config/emails', { ...account, host })).status).toBe(200);
    },
  );

  it('logs nothing about the mail account', async () => {
    const shop = await createTestStore();
    const lines: string[] = [];
    for (const level of ['log', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
    }
    await measureRequest(shop, 'POST /config/emails', account);
    await measureRequest(shop, 'POST /config/emails', { ...account, port: 'secret-port' });
    expect(lines).toHaveLength(2);
    for (const value of ['p@ss', 'contato', 'smtp.loja', 'secret-port']) {
      expect(lines.join('\n')).not.toContain(value);
    }
  });

  it('costs two round trips', async () => {
    const shop = await createTestStore();
    for (const name of ['Um', 'Dois']) {
      const { data } = await measureRequest(shop, 'POST /config/emails', { ...account, name });
      expect(data.roundTrips).toBe(2);
    }
  });
});

describe('GET /{alias}/config/emails', () => {
  it('returns 404 while there is no configuration, then 200 with what POST returned', async () => {
    const { api } = await createTestStore();
    expect((await api('GET /config/emails')).status).toBe(404);
    const created = await api('POST /config/emails', account);
    const { status, body } = await api('GET /config/emails');
    expect([status, body]).toEqual([200, created.body]);
  });

  it('returns each store its own configuration', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    await one.api('POST /config/emails', account);
    expect((await other.api('GET /config/emails')).status).toBe(404);
    await other.api('POST /config/emails', { ...account, name: 'Outra' });
    expect((await one.api('GET /config/emails')).body.data.name).toBe('Empório Ipê');
  });
});
