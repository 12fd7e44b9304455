import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { formAccess } from '../../support/api/form-access.ts';
import { listedForms } from '../../support/api/limits-table.ts';
import { Browser, type BrowserPage, tokenFor } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import {
  authorizeUrl,
  consentPath,
  grantsOf,
  openConsentPage,
  redirectParams,
} from '../../support/oauth/consent.ts';
import { addSecondFactor, showCode } from '../../support/second-factor.ts';

const question = 'Confirm that it is you';

/** The forms that give access or end that of others, without consent, whose request is no path. */
const asking = [...Object.keys(formAccess.gives), ...Object.keys(formAccess.ends)].filter(
  (path) => path !== consentPath,
);

/**
 * The forms that ask before their page: one shows a secret; a new passkey and a file are not kept.
 */
const askedBefore = [
  '/account/security/second-factor',
  '/account/security/passkeys/new',
  '/partners/:clientId/logo',
];

/** An operator who owns a store, and has shown a code at sign-in or just now. */
async function createSession() {
  const { userId, alias } = await createTestStore();
  await addSecondFactor(userId);
  await env.DIRECTORY.prepare('update users set super_user = 1 where id = ?').bind(userId).run();
  const browser = await new Browser().signIn(userId);
  const age = () => showCode(userId, Date.now() - 11 * 60_000);
  const pathOf = (path: string) => path.replace(':alias', alias).replaceAll(/:\w+/g, '1');
  const leave = () =>
    env.DIRECTORY.prepare('update users set super_user = 0 where id = ?').bind(userId).run();
  return { userId, browser, age, pathOf, leave };
}

const linesOf = (userId: number) =>
  env.DIRECTORY.prepare(
    "select count(*) as n from audit where actor_kind = 'user' and actor_id = ?",
  )
    .bind(String(userId))
    .first<number>('n');

describe('a form of a page', () => {
  it('is in the list of what gives and ends access, once', () => {
    const named = Object.values(formAccess).flatMap((group) => Object.keys(group));
    expect(named.toSorted()).toEqual(listedForms.map(({ path }) => path).toSorted());
  });

  it('attack: gives and ends nothing in a session whose proof is old, but asks for one', async () => {
    const { userId, browser, age, pathOf, leave } = await createSession();
    const before = await linesOf(userId);
    await age();
    const acted: string[] = [];
    for (const form of asking) {
      const path = pathOf(form);
      const sent = await browser.post(path, { form_token: await tokenFor(browser, path) });
      const shown: BrowserPage =
        sent.status === 303 && sent.location === path ? await browser.get(path) : sent;
      if (!shown.text.includes(question)) acted.push(`${form}: ${sent.status}`);
    }
    await leave();
    expect(acted).toEqual([]);
    expect(await linesOf(userId)).toBe(before);
    expect(asking.length).toBeGreaterThan(50);
  });

  it('can be read before the proof, unless it shows a secret or takes what is not kept', async () => {
    const { userId, pathOf, leave } = await createSession();
    // Of operators with a second factor, each session shows a code of it before any page.
    await env.DIRECTORY.prepare('update users set mfa_enabled = 0 where id = ?').bind(userId).run();
    const browser = await new Browser().signIn(userId, Date.now() - 11 * 60_000);
    const asked: string[] = [];
    for (const path of Object.values(formAccess).flatMap((group) => Object.keys(group))) {
      if ((await browser.get(pathOf(path))).text.includes(question)) asked.push(path);
    }
    await leave();
    expect(asked).toEqual(askedBefore);
  });

  it('asks no one who has just given a proof', async () => {
    const { browser, pathOf, leave } = await createSession();
    const asked: string[] = [];
    for (const form of asking) {
      if ((await browser.get(pathOf(form))).text.includes(question)) asked.push(form);
    }
    await leave();
    expect(asked).toEqual([]);
  });
});

describe('a consent', () => {
  it.each(['published app', 'assistant'])(
    'attack: connects no %s in a session whose proof is old, also if the page was open before',
    async (kind) => {
      const options = kind === 'assistant' ? { host: 'assistant.test' } : {};
      const { browser, store, app, page, decide } = await openConsentPage(options);
      expect(page.text).not.toContain(question);
      await showCode(store.userId, Date.now() - 11 * 60_000);
      const answer = await decide('approve', { access: 'write', area: 'catalog' });
      expect([answer.status, answer.location]).toEqual([200, null]);
      expect(answer.text).toContain(question);
      expect(() => hiddenFieldsOf(answer, consentPath)).toThrow();
      expect(await grantsOf(app)).toEqual([]);
      // To refuse gives nothing.
      expect(redirectParams(await decide('deny')).get('error')).toBe('access_denied');
      await showCode(store.userId);
      const again = await browser.get(authorizeUrl(app));
      expect(/value="catalog"[^>]* checked/.test(again.html)).toBe(kind === 'assistant');
      const fields = { ...hiddenFieldsOf(again, consentPath), decision: 'approve' };
      const approved = await browser.post(consentPath, {
        ...fields,
        access: 'write',
        area: 'catalog',
      });
      expect(redirectParams(approved).get('code')).toBeTruthy();
    },
  );
});
