import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import type { Language } from '../../src/base/languages.ts';
import { settingsOf } from '../../src/base/settings.ts';
import { openDatabase } from '../../src/data/core/open-database.ts';
import {
  insertMail,
  insertMailToMembers,
  insertMailToOperators,
  insertMailToTeam,
  insertMailToUser,
  prepareMail,
  type PreparedMail,
} from '../../src/mail/outbox.ts';
import { Browser } from '../support/browser/browser.ts';
import { addTestMember, createTestUser } from '../support/fixtures/members.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { mailExamples } from '../support/mail-examples.ts';

const directory = openDatabase(env.DIRECTORY);
const settings = settingsOf(env);
const now = Date.UTC(2041, 0, 1);

async function createStoreIn(language: Language) {
  const store = await createTestStore();
  await env.DIRECTORY.prepare('update users set language = ? where id = ?')
    .bind(language, store.userId)
    .run();
  return store;
}

const languagesOf = async (address: string) => {
  const query = 'select kind, language from mails where to_address = ? order by id';
  const { results } = await env.DIRECTORY.prepare(query).bind(address).all();
  return results as { kind: string; language: Language }[];
};

const toAddress = async (
  example: (typeof mailExamples)[number],
  to: Parameters<typeof insertMail>[2],
) => insertMail(directory, (await prepareMail(settings, example)) as PreparedMail<never>, to, now);

describe('every kind of mail, by every way into the outbox', () => {
  it.each([
    ['en', 'pt-BR', 'es', 'es'],
    ['pt-BR', 'es', 'en', 'en'],
    ['es', 'pt-BR', null, 'pt-BR'],
    ['pt-BR', 'en', null, 'en'],
  ] as const)(
    'caused in %s, of a store in %s, to a reader of %s: comes in %s',
    async (ofCauser, ofStore, ofReader, expected) => {
      const { id: storeId } = await createStoreIn(ofStore);
      const reader = { language: ofReader, super_user: true };
      const { userId, email } = await addTestMember({ id: storeId }, 'manager', reader);
      const roles = ['manager'] as const;
      const isReader = sql`users.id = ${userId}`;
      for (const example of mailExamples) {
        const prepare = () => prepareMail(settings, example);
        const to = { address: email, language: ofCauser, storeId };
        await directory.batch([
          insertMailToUser(directory, await prepare(), userId, now),
          insertMailToMembers(directory, await prepare(), { storeId, roles }, now),
          insertMailToTeam(directory, await prepare(), userId, now),
          insertMailToOperators(directory, await prepare(), now, isReader),
          await toAddress(example, to),
          await toAddress(example, { ...to, userId }),
        ]);
      }
      const wanted = mailExamples.flatMap(({ kind }) =>
        Array.from({ length: 6 }, () => ({ kind, language: expected })),
      );
      expect(await languagesOf(email)).toEqual(wanted);
    },
  );

  it('to a stranger: comes in that of the store, else of the form that names the address', async () => {
    const { id: storeId } = await createStoreIn('es');
    for (const example of mailExamples) {
      const address = `${crypto.randomUUID()}@people.test`;
      const to = { address, language: 'pt-BR' } as const;
      await directory.batch([
        await toAddress(example, { ...to, storeId }),
        await toAddress(example, to),
      ]);
      const { kind } = example;
      expect(await languagesOf(address)).toEqual([
        { kind, language: 'es' },
        { kind, language: 'pt-BR' },
      ]);
    }
  });
});

describe('the language of a reader', () => {
  const post = async ({ userId, email }: { userId: number; email: string }) => {
    const mail = await prepareMail(settings, { kind: 'password_changed', data: {} });
    await directory.batch([insertMailToUser(directory, mail, userId, now)]);
    return (await languagesOf(email)).at(-1)?.language;
  };

  it('is that of the last page: of the browser first, then of the switch, then of the profile', async () => {
    const reader = await createTestUser();
    const fiveMinutes = 300_000;
    const browser = await new Browser().signIn(reader.userId, Date.now() - fiveMinutes);
    expect(await post(reader)).toBe('en');
    await browser.get('/account', { 'Accept-Language': 'pt-BR' });
    expect(await post(reader)).toBe('pt-BR');
    await browser.get('/account?lang=es', { 'Accept-Language': 'pt-BR' });
    expect(await post(reader)).toBe('es');
    await browser.submit('/account/profile', { name: 'Ana', language: 'en' });
    const page = await browser.get('/account', { 'Accept-Language': 'pt-BR' });
    expect(page.html).toContain('<html lang="en"');
    expect(await post(reader)).toBe('en');
  });

  it('is not that of somebody else who asks for their mail on a page', async () => {
    const reader = await createTestUser({ language: 'pt-BR' });
    await new Browser().signIn(reader.userId);
    const stranger = new Browser();
    await stranger.get('/session/password?lang=es');
    await stranger.submit('/password/forgotten', { email: reader.email });
    expect(await languagesOf(reader.email)).toEqual([
      { kind: 'password_reset', language: 'pt-BR' },
    ]);
  });
});
