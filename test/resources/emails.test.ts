import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { unseal } from '../../src/crypto/seal.ts';
import { settingsOf } from '../../src/settings.ts';
import { measured } from '../support/counted.ts';
import { store } from '../support/store.ts';

const account = {
  host: 'smtp.loja.test',
  port: 587,
  username: 'loja',
  password: ' p@ss<b>wörd ',
  from: 'contato@loja.test',
  name: 'Empório Ipê',
};

const kept = (id: number) =>
  env.STORE_0.prepare('select * from email_configurations where store_id = ?')
    .bind(id)
    .first<Record<string, string | number>>();

afterEach(() => vi.restoreAllMocks());

describe('POST /{alias}/config/emails', () => {
  it('200 with who the e-mails are from, and never how they are sent', async () => {
    const { api } = await store();
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

  it('keeps the password sealed for this store alone, byte for byte', async () => {
    const shop = await store();
    await shop.api('POST /config/emails', account);
    const row = await kept(shop.id);
    expect(JSON.stringify(row)).not.toContain('p@ss');
    expect(row).toMatchObject({ host: 'smtp.loja.test', port: 587, encryption: 'tls' });
    const { sealingKey } = settingsOf(env);
    const sealed = String(row?.password_sealed);
    expect(await unseal(sealingKey, sealed, `email-password:${shop.id}`)).toBe(account.password);
    await expect(unseal(sealingKey, sealed, `email-password:${shop.id + 1}`)).rejects.toThrow();
  });

  it('200 with another one in its place, under the same id', async () => {
    const shop = await store();
    const first = (await shop.api('POST /config/emails', account)).body.data;
    const other = { ...account, name: 'Outro', password: 'other', encryption: 'StartTLS' };
    const { body } = await shop.api('POST /config/emails', other);
    expect(body.data).toEqual({ ...first, name: 'Outro', updated_at: body.data.updated_at });
    const row = await kept(shop.id);
    expect(row?.encryption).toBe('starttls');
    const { sealingKey } = settingsOf(env);
    const place = `email-password:${shop.id}`;
    expect(await unseal(sealingKey, String(row?.password_sealed), place)).toBe('other');
  });

  it('moves updated_at only when something changed, a password alone included', async () => {
    const shop = await store();
    await shop.api('POST /config/emails', account);
    await env.STORE_0.prepare('update email_configurations set updated_at = 1 where store_id = ?')
      .bind(shop.id)
      .run();
    await shop.api('POST /config/emails', account);
    expect((await kept(shop.id))?.updated_at).toBe(1);
    await shop.api('POST /config/emails', { ...account, password: 'changed' });
    expect((await kept(shop.id))?.updated_at).not.toBe(1);
  });

  it('replaces a password that no key opens any more', async () => {
    const shop = await store();
    await shop.api('POST /config/emails', account);
    await env.STORE_0.prepare(
      "update email_configurations set password_sealed = 'v1.AAAA' where store_id = ?",
    )
      .bind(shop.id)
      .run();
    expect((await shop.api('POST /config/emails', account)).status).toBe(200);
    expect(String((await kept(shop.id))?.password_sealed).length).toBeGreaterThan(20);
  });

  it('200 for all of many at once, and one configuration', async () => {
    const shop = await store();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        shop.api('POST /config/emails', { ...account, name: `Nome ${index}` }),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
  });

  it('422 with every field that is missing', async () => {
    const { api } = await store();
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
    ['host', 'not a host', 'Must be a host name or an address.'],
    ['host', '-smtp.test', 'Must be a host name or an address.'],
    ['port', 0, 'Must be a whole number from 1 to 65,535.'],
    ['port', '587', 'Must be a whole number from 1 to 65,535.'],
    ['username', '', 'Must not be empty.'],
    ['password', '', 'Must not be empty.'],
    ['password', 'x'.repeat(256), 'Must be at most 255 characters.'],
    ['from', 'nobody', 'Must be an e-mail address.'],
    ['name', null, 'Must be text.'],
    ['encryption', 'rot13', 'Must be one of tls, ssl, starttls, none.'],
  ])('422 for %s %j', async (field, value, sentence) => {
    const { api } = await store();
    const { status, body } = await api('POST /config/emails', { ...account, [field]: value });
    expect(status).toBe(422);
    expect(body.errors).toEqual({ [field]: [sentence] });
  });

  it.each(['mail.example.com', 'localhost', '192.0.2.7', '2001:db8::1'])(
    'takes the host %s',
    async (host) => {
      const { api } = await store();
      expect((await api('POST /config/emails', { ...account, host })).status).toBe(200);
    },
  );

  it('tells the log nothing of the account', async () => {
    const shop = await store();
    const lines: string[] = [];
    for (const level of ['log', 'warn', 'error'] as const) {
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
    }
    await measured(shop, 'POST /config/emails', account);
    await measured(shop, 'POST /config/emails', { ...account, port: 'secret-port' });
    expect(lines).toHaveLength(2);
    for (const value of ['p@ss', 'contato', 'smtp.loja', 'secret-port']) {
      expect(lines.join('\n')).not.toContain(value);
    }
  });

  it('is two round trips', async () => {
    const shop = await store();
    for (const name of ['Um', 'Dois']) {
      const { data } = await measured(shop, 'POST /config/emails', { ...account, name });
      expect(data.trips).toBe(2);
    }
  });
});

describe('GET /{alias}/config/emails', () => {
  it('404 while there is none, then 200 with what POST answered', async () => {
    const { api } = await store();
    expect((await api('GET /config/emails')).status).toBe(404);
    const made = await api('POST /config/emails', account);
    const { status, body } = await api('GET /config/emails');
    expect([status, body]).toEqual([200, made.body]);
  });

  it('shows each store its own', async () => {
    const [one, other] = [await store(), await store()];
    await one.api('POST /config/emails', account);
    expect((await other.api('GET /config/emails')).status).toBe(404);
    await other.api('POST /config/emails', { ...account, name: 'Outra' });
    expect((await one.api('GET /config/emails')).body.data.name).toBe('Empório Ipê');
  });
});
