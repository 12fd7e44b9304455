import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { hashPassword } from '../../../src/accounts/sign-in/password.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';

const insertUser = (email: string) =>
  env.DIRECTORY.prepare(
    `insert into users (email, name, created_at, updated_at) values (?, 'Ana', 0, 0) returning id`,
  )
    .bind(email)
    .first<number>('id');

describe('the e-mail address of a user', () => {
  it('is unique without regard to letter case', async () => {
    const name = crypto.randomUUID();
    await insertUser(`Ana.${name}@Store.test`);
    for (const taken of [`ana.${name}@store.test`, `ANA.${name}@STORE.TEST`]) {
      await expect(insertUser(taken)).rejects.toThrow('UNIQUE constraint failed: users.email');
    }
    await insertUser(`ana.other.${name}@store.test`);
  });

  it('signs in (303) in any spelling, also when it was stored with capitals, by one row of the index', async () => {
    const name = crypto.randomUUID();
    const userId = await insertUser(`Ana.${name}@Store.test`);
    await env.DIRECTORY.prepare(
      'insert into passwords (user_id, hash, changed_at) values (?, ?, 0)',
    )
      .bind(userId, await hashPassword('a-long-password'))
      .run();
    for (const email of [`ana.${name}@store.test`, `ANA.${name}@STORE.TEST`]) {
      const browser = new Browser();
      const page = await browser.get('/account');
      const fields = { ...hiddenFieldsOf(page, '/session'), email, password: 'a-long-password' };
      expect((await browser.post('/session', fields)).status).toBe(303);
    }
    const { results } = await env.DIRECTORY.prepare(
      'explain query plan select id from users where users.email = ? collate nocase',
    )
      .bind('ana@store.test')
      .all<{ detail: string }>();
    expect(results.map(({ detail }) => detail).join()).toContain('users_email_key');
  });
});
