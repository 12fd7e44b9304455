import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { Language } from '../../src/base/languages.ts';
import { Browser } from '../support/browser/browser.ts';
import { addTestMember } from '../support/fixtures/members.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { createSellingStore } from '../support/fixtures/selling-store.ts';
import { createTestApp } from '../support/oauth/partner.ts';
import { createTestWebhook } from '../support/webhooks/delivery-log.ts';

/**
 * Words that a heading need not repeat: articles, and those in whose place the heading has a name.
 */
const free: Record<Language, string> = {
  en: 'a an the this your its of to member user store app webhook key domain address database',
  'pt-BR':
    'o a os as um uma este esta desta seu sua seus suas do da de dos das para membro usuário loja app webhook chave domínio adiante',
  es: 'el la los las un una este esta tu tus su sus del de a al usuario tienda app webhook clave dominio',
};

/**
 * Links that leave a page, filter it, lead to a person or to a part of another page; or to the app
 * beside a passkey.
 */
const others: Record<Language, RegExp> = {
  en: /^(Cancel|Back.*|All.*|Go to.*|Open in.*|Look at it|Show.*|Newest.*|Older.*|Overview|Add an authenticator app|.*@.*)$/,
  'pt-BR':
    /^(Cancelar|Voltar.*|Tod[ao]s.*|Ver .*|Abrir na.*|Mostrar.*|Geral|Adicionar um aplicativo autenticador|.*@.*)$/,
  es: /^(Cancelar|Volver.*|Tod[ao]s.*|Ver .*|Abrir en.*|Mostrar.*|General|Añadir una aplicación de autenticación|.*@.*)$/,
};

const visible = (html: string) =>
  html
    .replaceAll(/<span class="visually-hidden">.*?<\/span>/gs, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&amp;', '&')
    .replaceAll(/&#?\w+;/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

const wordsOf = (text: string, language: Language) =>
  (text.toLowerCase().match(/[\p{L}\d-]+/gu) ?? []).filter(
    (word) => !free[language].split(' ').includes(word),
  );

const linksOf = (html: string) =>
  Array.from(
    html.matchAll(
      /<a\b[^>]*?href="(\/(?:account|partners|operator)[^"#]*)[^"]*"[^>]*>(.*?)<\/a>/gs,
    ),
    ([, href = '', text = '']) => ({ path: href.replaceAll('&amp;', '&'), text: visible(text) }),
  );

/**
 * Opens each kind of page that links lead to, and returns the links whose words the heading of
 * their page does not have.
 */
async function findStrangers(browser: Browser, start: string, language: Language) {
  const headings = new Map<string, string>();
  const links: { from: string; path: string; text: string }[] = [];
  const kindOf = (path: string) => path.replace(/\?.*/, '').replaceAll(/\d+/g, 'N');
  const queue = [start];
  const known = new Set([kindOf(start)]);
  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const { html, status } = await browser.get(path, { 'Accept-Language': language });
    if (status !== 200) continue;
    headings.set(path, visible(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)?.[1] ?? ''));
    // The cell that names a row is a link to the record of the row.
    const main = (/<main.*<\/main>/s.exec(html)?.[0] ?? '').replaceAll(
      /<th scope="row">.*?<\/th>/gs,
      '',
    );
    links.push(...linksOf(main).map((link) => ({ ...link, from: path })));
    for (const { path: target } of linksOf(html)) {
      if (known.has(kindOf(target))) continue;
      known.add(kindOf(target));
      queue.push(target);
    }
  }
  expect(headings.size).toBeGreaterThan(30);
  return links
    .filter(({ text }) => !others[language].test(text))
    .flatMap(({ from, path, text }) => {
      const heading = headings.get(path);
      if (heading === undefined) return [];
      const has = wordsOf(heading, language);
      const isSame = wordsOf(text, language).every((word) => has.includes(word));
      return isSame ? [] : [`${from}: "${text}" leads to "${heading}"`];
    });
}

it.each(['en', 'pt-BR', 'es'] as const)(
  'the heading of a page has the words of the links to it: %s',
  async (language) => {
    const shop = await createSellingStore();
    await addTestMember(shop, 'manager');
    await createTestWebhook(shop);
    await createTestApp({ ownerId: shop.userId, state: 'draft' });
    await env.DIRECTORY.prepare('update users set language = null where id = ?')
      .bind(shop.userId)
      .run();
    const owner = await new Browser().signIn(shop.userId);
    const operator = await new Browser().signIn((await createTestOperator()).userId);
    expect([
      ...(await findStrangers(owner, '/account', language)),
      ...(await findStrangers(owner, '/partners', language)),
      ...(await findStrangers(operator, '/operator', language)),
    ]).toEqual([]);
  },
);
