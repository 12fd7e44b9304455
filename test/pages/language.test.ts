import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { sha256 } from '../../src/base/crypto/digest.ts';
import { UserRequest } from '../../src/ops/operator/requests.ts';
import { accountPages } from '../../src/pages/account/account-pages.ts';
import { operatorPages } from '../../src/pages/operator/operator-pages.ts';
import { partnerPages } from '../../src/pages/partners/partner-pages.ts';
import type { UserPage } from '../../src/web/page.ts';
import { messagesFor } from '../../src/web/texts/messages.ts';
import { Browser, type BrowserPage } from '../support/browser/browser.ts';
import { addTestMember } from '../support/fixtures/members.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { connectApp, createTestApp } from '../support/oauth/partner.ts';
import { createTestWebhook, fillDeliveryLog } from '../support/webhooks/delivery-log.ts';
import '../support/fixtures/first-shard.ts';

/** All texts of some messages. */
const textsOf = (messages: unknown): string[] =>
  typeof messages === 'string'
    ? [messages]
    : Object.values(messages as Record<string, unknown>).flatMap(textsOf);

const spanish = textsOf(messagesFor('es'));

/** Pieces of English texts between placeholders, of two words or more, that no Spanish text has. */
const english = [
  ...new Set(
    textsOf(messagesFor('en'))
      .flatMap((text) => text.split(/\{\w+\}/))
      .map((piece) => piece.trim())
      .filter((piece) => piece.length >= 8 && piece.includes(' '))
      .filter((piece) => !spanish.some((text) => text.includes(piece))),
  ),
];

/**
 * Texts that users wrote: names, and those that lines of the audit keep. A page shows them as they
 * are.
 */
const writtenTexts = async () => {
  const queries = [
    'select name as text from stores',
    'select name as text from users',
    'select name as text from api_keys',
    'select name as text from apps',
    'select reason as text from audit where reason is not null',
    'select actor_name as text from audit',
    `select atom as text from audit, json_tree(changes) where json_tree.type = 'text'`,
  ];
  const found = await env.DIRECTORY.batch<{ text: string }>(
    queries.map((query) => env.DIRECTORY.prepare(query)),
  );
  const texts = found.flatMap(({ results }) => results.map(({ text }) => text));
  return [...new Set(texts)].filter((text) => text.length >= 8);
};

const expectSpanish = async (path: string, { html, text }: BrowserPage) => {
  expect([path, /<html lang="([^"]+)"/.exec(html)?.[1]]).toEqual([path, 'es']);
  const suspects = english.filter((piece) => text.includes(piece));
  if (!suspects.length) return;
  const ours = (await writtenTexts()).reduce(
    (left, written) => left.replaceAll(written, '…'),
    text,
  );
  const found = suspects.flatMap((piece) => {
    const at = ours.indexOf(piece);
    return at < 0 ? [] : [ours.slice(Math.max(0, at - 60), at + piece.length + 60)];
  });
  expect([path, found]).toEqual([path, []]);
};

/** Whether the form of a page asks for something. A form without fields would be a bare action. */
const asksForSomething = ({ html }: BrowserPage, path: string) => {
  const start = html.indexOf(`action="${path}"`);
  const form = start < 0 ? '' : html.slice(start, html.indexOf('</form>', start));
  return /<(?:select|textarea)|<input (?!type="hidden")/.test(form);
};

/** Opens each page, and sends each form with fields empty. Returns how often each status came. */
async function walk(
  browser: Browser,
  pages: readonly UserPage[],
  pathOf: (path: string) => string,
) {
  const statuses = new Map<number, number>();
  const count = (status: number) => statuses.set(status, (statuses.get(status) ?? 0) + 1);
  for (const { path: route, onSubmit } of pages) {
    const path = pathOf(route);
    const page = await browser.get(path);
    count(page.status);
    if (page.status === 303) continue;
    await expectSpanish(path, page);
    if (!onSubmit || !asksForSomething(page, path)) continue;
    const answer = await browser.submit(path);
    count(answer.status);
    if (answer.status !== 303) await expectSpanish(`POST ${path}`, answer);
  }
  return Object.fromEntries(statuses);
}

const speakSpanish = (userId: number) =>
  env.DIRECTORY.prepare("update users set language = 'es' where id = ?").bind(userId).run();

it('there are English texts to find', () => {
  expect(english.length).toBeGreaterThan(500);
  expect(english).toContain('Enter a name.');
});

it('every page of a user has the language that the user has stored, also after an error (422)', async () => {
  const store = await createTestStore();
  await speakSpanish(store.userId);
  const browser = await new Browser().signIn(store.userId);
  const member = await addTestMember(store, 'viewer');
  const webhook = await createTestWebhook(store);
  await fillDeliveryLog(store, webhook, { count: 1 });
  await connectApp(store);
  const app = await createTestApp({ ownerId: store.userId, state: 'draft' });
  await browser.submit(`/account/stores/${store.alias}/members/invite`, {
    email: `i${store.id}@user.test`,
    role: 'viewer',
  });
  const invitation = env.DIRECTORY.prepare('select id from invitations where store_id = ?');
  const key = env.DIRECTORY.prepare('select id from api_keys where user_id = ?');
  const session = await sha256(browser.cookies.get('__Host-session') ?? '');
  const ids = {
    invitations: String(await invitation.bind(store.id).first('id')),
    webhooks: String(webhook),
    keys: String(await key.bind(store.userId).first('id')),
    sessions: session,
  };
  const pathOf = (path: string) => {
    const kind = Object.entries(ids).find(([name]) => path.includes(`/${name}/`));
    return path
      .replace(':alias', store.alias)
      .replace(':userId', String(member.userId))
      .replace(':clientId', app.client_id)
      .replace(':id', kind?.[1] ?? '1')
      .replace(':seq', '1');
  };
  const account = await walk(browser, accountPages, pathOf);
  expect(account[200]).toBeGreaterThan(30);
  expect(account[422]).toBeGreaterThan(8);
  const partners = await walk(browser, partnerPages, pathOf);
  expect(partners[200]).toBeGreaterThan(10);
  expect(partners[422]).toBeGreaterThan(2);
});

it('every page of an operator has the language that the operator has stored, also after an error (422)', async () => {
  const operator = await createTestOperator();
  await speakSpanish(operator.userId);
  const browser = await new Browser().signIn(operator.userId);
  const store = await createTestStore();
  const member = await addTestMember(store, 'viewer');
  const app = await createTestApp();
  const pathOf = (path: string) => {
    const id = path.includes('/apps/')
      ? app.id
      : path.includes('/users/')
        ? member.userId
        : store.id;
    return path
      .replace(':id', String(id))
      .replace(':user_id', String(member.userId))
      .replace(':number', '0')
      .replace(':jobId', '1');
  };
  const statuses = await walk(browser, operatorPages, pathOf);
  expect(statuses[200]).toBeGreaterThan(20);
  expect(statuses[422]).toBeGreaterThan(12);
});

const languageOf = ({ html }: BrowserPage) => /<html lang="([^"]+)"/.exec(html)?.[1];

const tags = [
  ['pt_BR', 'pt-BR'],
  ['es_MX', 'es'],
  ['PT', 'pt-BR'],
  ['pt-br', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['por', 'pt-BR'],
  ['spa', 'es'],
  ['es-419', 'es'],
  ['pt_BR.UTF-8', 'pt-BR'],
  ['es_ES@euro', 'es'],
  ['EN_us', 'en'],
] as const;

it.each(tags)('a page reads %s as %s, wherever it is sent', async (tag, language) => {
  const other = language === 'es' ? 'pt-BR' : 'es';
  const sent = encodeURIComponent(tag);
  const header = { 'Accept-Language': `fr-CH, ${tag};q=0.9, ${other};q=0.5` };
  expect(languageOf(await new Browser().get('/session', header))).toBe(language);
  expect(languageOf(await new Browser().get(`/docs?lang=${sent}`))).toBe(language);
  const chosen = new Browser();
  expect(languageOf(await chosen.get(`/session?lang=${sent}`, { 'Accept-Language': other }))).toBe(
    language,
  );
  expect(languageOf(await chosen.get('/session', { 'Accept-Language': other }))).toBe(language);
  const remembered = new Browser();
  remembered.cookies.set('__Host-language', tag);
  expect(languageOf(await remembered.get('/session', { 'Accept-Language': other }))).toBe(language);
  const user = { name: 'Ana', email: 'ana@x.example', reason: 'A test.', language: tag };
  expect(UserRequest.parse(user)).toMatchObject({ language });
  const locales = `/session?ui_locales=${encodeURIComponent(`fr ${tag} ${other}`)}`;
  expect(languageOf(await new Browser().get(locales, { 'Accept-Language': other }))).toBe(language);
});

it.each(['fr', '*', 'xx-XX', '', 'p', '-', 'esperanto', 'enm'])(
  'a page does not take %j for a language that it has',
  async (tag) => {
    const header = { 'Accept-Language': `${tag}, es;q=0.1` };
    const browser = new Browser();
    const path = `/session?lang=${encodeURIComponent(tag)}&ui_locales=${encodeURIComponent(tag)}`;
    expect(languageOf(await browser.get(path, header))).toBe('es');
    expect(browser.cookies.has('__Host-language')).toBe(false);
  },
);

it('the switch wins over the app that asks, this over the browser, and that over the language last read', async () => {
  const store = await createTestStore();
  const browser = await new Browser().signIn(store.userId);
  const path = '/account/profile?ui_locales=pt_BR';
  const header = { 'Accept-Language': 'en' };
  expect(languageOf(await browser.get(path, header))).toBe('pt-BR');
  expect(languageOf(await browser.get('/account/profile', header))).toBe('en');
  await speakSpanish(store.userId);
  expect(languageOf(await browser.get(path, header))).toBe('pt-BR');
  expect(languageOf(await browser.get('/account/profile', header))).toBe('en');
  expect(languageOf(await browser.get('/account/profile', { 'Accept-Language': 'fr' }))).toBe('es');
  await browser.submit('/account/profile', { name: 'Ana', language: 'pt_BR' });
  expect(languageOf(await browser.get('/account/profile', header))).toBe('pt-BR');
  expect(languageOf(await browser.get(`${path}&lang=EN_us`))).toBe('en');
});
