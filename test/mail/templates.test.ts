import { describe, expect, it } from 'vitest';
import type { Language } from '../../src/base/languages.ts';
import type { MailData, MailKind } from '../../src/mail/kinds.ts';
import { mailForms, renderMail } from '../../src/mail/render.tsx';
import { englishMails } from '../../src/mail/templates/en.ts';
import { spanishMails } from '../../src/mail/templates/es.ts';
import { portugueseMails } from '../../src/mail/templates/pt-br.ts';
import { linkOrigin, mailExamples } from '../support/mail-examples.ts';

const brand = { name: 'Service', accent: undefined, supportAddress: 'help@service.test' };
const settings = {
  brand: { ...brand, logo: undefined, favicon: undefined },
  linkOrigin,
  mailFrom: undefined,
};
const languages: readonly Language[] = ['en', 'pt-BR', 'es'];
const address = 'ana@mail.test';
const stopLink = `${linkOrigin}/e-mail/unsubscribe?token=sealed`;

const render = (
  kind: string,
  data: unknown,
  language: Language = 'en',
  name: string | null = 'Ana',
) =>
  renderMail(
    settings,
    { kind, language, to_address: address, to_name: name, unsubscribe: stopLink },
    data,
  );

/** The paths and the placeholders of all texts. */
function shapeOf(value: unknown, path = ''): string[] {
  if (typeof value === 'string') {
    const placeholders = [...value.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name).toSorted();
    return [`${path} ${placeholders.join(' ')}`];
  }
  return Object.entries(value as object).flatMap(([key, inner]) =>
    shapeOf(inner, `${path}.${key}`),
  );
}

describe('the texts', () => {
  // A paragraph may name the store once more in one language, so the set of a whole text counts.
  it.each([
    ['pt-BR', portugueseMails],
    ['es', spanishMails],
  ])('%s has the keys, paragraphs and buttons of English, in the same order', (_, texts) => {
    const keys = (all: typeof englishMails) => shapeOf(all).map((line) => line.split(' ')[0]);
    expect(keys(texts)).toEqual(keys(englishMails));
  });

  it.each([
    ['pt-BR', portugueseMails],
    ['es', spanishMails],
  ])('%s uses the placeholders of English', (_, texts) => {
    expect(shapeOf(texts)).toEqual(shapeOf(englishMails));
  });
});

describe.each(languages)('every kind in %s', (language) => {
  it.each(mailExamples)(
    '$kind: text and HTML say the same, with the link in both',
    ({ kind, data }) => {
      const mail = render(kind, data, language);
      expect(mail).toBeDefined();
      const { subject, text, html } = mail!;
      for (const part of [subject, text, html]) expect(part).not.toMatch(/\{\w+\}|undefined|null/);
      expect(html).toContain(`<html lang="${language}">`);
      expect(subject).not.toMatch(/[\r\n]/);
      expect(html).not.toMatch(/<(?:img|script|link|iframe|form)\b|url\(|@import| src=/);
      const inHtml = [...html.matchAll(/href="([^"]+)"/g)].map(([, href]) => href);
      for (const href of inHtml) {
        expect(href!.startsWith(`${linkOrigin}/`)).toBe(true);
        expect(text).toContain(href);
      }
      const { link } = data as { link?: string };
      if (link !== undefined) expect(inHtml).toContain(link);
    },
  );
});

it('there is an example of each kind', () => {
  expect([...new Set(mailExamples.map(({ kind }) => kind))].sort()).toEqual(
    Object.keys(mailForms).sort(),
  );
});

describe('text from outside', () => {
  const invite = (inviter: string, store = 'Nova') =>
    render('invitation', {
      inviter,
      kind: 'store',
      store,
      role: 'viewer',
      link: `${linkOrigin}/invitations/token`,
    } satisfies MailData['invitation'])!;

  it('cannot add a header or a line', () => {
    const mail = invite('Eve\r\nBcc: everyone@evil.test\u2028\u0000x', 'No\nva');
    expect(mail.subject).not.toMatch(/[\r\n\u2028]/);
    expect(mail.text.split('\n')).not.toContainEqual(expect.stringMatching(/^Bcc:/));
    expect(
      render('sign_up_known', { link: `${linkOrigin}/session` }, 'en', 'A\r\nBcc: x')?.to.name,
    ).toBe('A Bcc:\u2060x'.replace(':\u2060x', ': x'));
  });

  it('cannot add HTML', () => {
    const { html } = invite('<script>alert(1)</script><b>', '"><img src=x>');
    expect(html).not.toContain('<script');
    expect(html).not.toContain('<img');
    expect(html).toContain('&lt;b&gt;');
  });

  it('cannot look like a link, and is short', () => {
    const { subject, text } = invite(`Win at https://evil.test/prize now ${'x'.repeat(500)}`);
    expect(text).not.toContain('evil.test');
    expect(text).not.toContain('https://evil');
    expect(subject.length).toBeLessThan(160);
  });

  it('cannot turn the writing direction, or fill in another placeholder', () => {
    const { text } = invite('\u202Eevil {store} $& {link}', 'Nova');
    expect(text).toContain('{store} $& {link} invites you to work on the store Nova');
    expect(text).not.toContain('\u202E');
  });

  it.each([
    'https://evil.test/',
    '//evil.test/',
    'javascript:alert(1)',
    'http://app.test.evil.test/',
  ])('a link to %s yields no mail', (link) => {
    expect(render('password_reset', { link })).toBeUndefined();
  });

  it.each(['ana@mail.test\r\nBcc: x@evil.test', 'a@b.test, c@d.test', '<a@b.test>', 'nobody'])(
    'a text that is not one address yields no mail: %j',
    (to) => {
      const mail = { kind: 'password_changed', language: 'en', to_address: to, to_name: null };
      expect(renderMail(settings, mail as Parameters<typeof renderMail>[1], {})).toBeUndefined();
    },
  );

  it('a kind that does not exist yields no mail', () => {
    expect(render('constructor', {})).toBeUndefined();
  });
});

it('countries, roles and days are in the language of the mail', () => {
  const country = (language: Language) =>
    render('new_sign_in', { country: 'BR', device: 'Firefox, Linux' }, language)?.subject;
  expect(languages.map(country)).toEqual([
    'New sign-in from Brazil',
    'Novo acesso: Brasil',
    'Nuevo inicio de sesión: Brasil',
  ]);
  const closing = (language: Language) =>
    render('store_closing', { store: 'Nova', date: Date.UTC(2027, 0, 5, 12) }, language)?.subject;
  expect(closing('pt-BR')).toContain('5 de janeiro de 2027');
  expect(render('new_sign_in', { country: '', device: 'x' })?.subject).toBe(
    'New sign-in to your account',
  );
});

it('only mails that can be switched off say where', () => {
  const withPreferences = mailExamples
    .filter(({ kind, data }) => render(kind, data)?.unsubscribe !== undefined)
    .map(({ kind }) => kind);
  expect([...new Set<MailKind>(withPreferences)]).toEqual([
    'app_disconnected',
    'member_removed',
    'webhook_failing',
    'webhook_switched_off',
    'app_webhook_switched_off',
    'event_budget',
    'export_ready',
    'store_reactivated',
  ]);
});
