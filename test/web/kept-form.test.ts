import { env } from 'cloudflare:workers';
import { describe, expect, it, vi } from 'vitest';
import { Browser } from '../support/browser/browser.ts';
import { hiddenFieldsOf } from '../support/browser/form-fields.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import '../support/fixtures/first-shard.ts';

const typed = { name: 'ERP & loja', url: 'https://erp.test/hook?a=b', events: 'order.paid' };
const hour = 3_600_000;

/** A member who has filled the form of a new webhook. */
async function fillForm() {
  const { userId, alias } = await createTestStore();
  const browser = await new Browser().signIn(userId);
  const path = `/account/webhooks/${alias}/new`;
  const fields: Record<string, string> = {
    ...hiddenFieldsOf(await browser.get(path), path),
    ...typed,
  };
  return { userId, browser, path, fields };
}

const prove = (userId: number, at: number) =>
  env.DIRECTORY.prepare('update sessions set proved_at = ? where user_id = ?')
    .bind(at, userId)
    .run();

/** Makes a user a member of the store of another. */
const join = (userId: number, of: number) =>
  env.DIRECTORY.prepare(
    `insert into memberships (user_id, store_id, role, created_at)
      select ?, store_id, 'manager', 1 from memberships where user_id = ?`,
  )
    .bind(userId, of)
    .run();

const hasTyped = async (browser: Browser, path: string) => {
  const { html, text } = await browser.get(path);
  return [
    html.includes('value="ERP &amp; loja"'),
    html.includes('value="https://erp.test/hook?a=b"'),
    /value="order\.paid"[^>]* checked/.test(html),
    text.includes('What you typed is still here, but nothing has been saved.'),
  ];
};

const [all, none] = [Array(4).fill(true), Array(4).fill(false)];

describe('what was typed in a form that could not be received', () => {
  it('is there after the proof, when that expired while the form was open', async () => {
    const { userId, browser, path, fields } = await fillForm();
    await prove(userId, Date.now() - hour);
    expect((await browser.post(path, fields)).text).toContain('Confirm that it is you');
    await prove(userId, Date.now());
    expect(await hasTyped(browser, path)).toEqual(all);
    expect(await hasTyped(browser, path)).toEqual(none);
  });

  it('is there at once, when the form was open for too long', async () => {
    const { userId, browser, path, fields } = await fillForm();
    const late = Date.now() + 1.5 * hour;
    using _clock = vi.spyOn(Date, 'now').mockReturnValue(late);
    await env.DIRECTORY.prepare(
      'update sessions set proved_at = ?1, seen_at = ?1, expires_at = ?1 + 3600000 where user_id = ?2',
    )
      .bind(late, userId)
      .run();
    const sent = await browser.post(path, fields);
    expect([sent.status, sent.location]).toEqual([303, path]);
    expect(await hasTyped(browser, path)).toEqual(all);
  });

  /** Ends the session as its time does, or as a new session in another tab does. */
  const endSession = (userId: number) =>
    env.DIRECTORY.prepare('delete from sessions where user_id = ?').bind(userId).run();

  it('is there after signing in, when the session ended while the form was open', async () => {
    const { userId, browser, path, fields } = await fillForm();
    await endSession(userId);
    const sent = await browser.post(path, { ...fields, password: 'x' });
    expect(sent.text).toContain('Your session has ended, and nothing has been saved.');
    expect(sent.html).toContain('action="/session"');
    expect(sent.html).not.toContain('ERP &amp; loja');
    await browser.signIn(userId);
    expect(await hasTyped(browser, path)).toEqual(all);
    expect(await hasTyped(browser, path)).toEqual(none);
    expect((await browser.get(path.replace('/new', ''))).text).not.toContain('ERP & loja');
  });

  it('is there at once, when its user signed in again in another tab', async () => {
    const { userId, browser, path, fields } = await fillForm();
    await endSession(userId);
    await browser.signIn(userId);
    expect((await browser.post(path, fields)).location).toBe(path);
    expect(await hasTyped(browser, path)).toEqual(all);
    expect((await browser.get(path.replace('/new', ''))).text).not.toContain('ERP & loja');
  });

  it('is not kept without the token of the form, nor if it is long, nor shown to another user', async () => {
    const { userId, browser, path, fields } = await fillForm();
    const other = await createTestStore();
    await endSession(userId);
    for (const sent of [
      typed,
      { ...fields, form_token: 'x' },
      { ...fields, a: 'x'.repeat(16_384) },
    ]) {
      expect((await browser.post(path, sent)).location).toBe(path);
      expect(browser.cookies.has('__Host-kept-form')).toBe(false);
    }
    const otherPath = path.replace('/new', '/1/edit');
    expect((await browser.post(otherPath, fields)).location).toBe(otherPath);
    expect(browser.cookies.has('__Host-kept-form')).toBe(false);
    await browser.post(path, fields);
    expect(browser.cookies.has('__Host-kept-form')).toBe(true);
    await join(other.userId, userId);
    await browser.signIn(other.userId);
    expect(await hasTyped(browser, path)).toEqual(none);
    expect((await browser.post(path, fields)).status).toBe(403);
  });

  it('is not there for another user of the browser, nor for what is secret', async () => {
    const { userId, browser, path, fields } = await fillForm();
    const other = await createTestStore();
    await join(other.userId, userId);
    await prove(userId, Date.now() - hour);
    const { form_token = '' } = fields;
    await browser.post(path, { form_token, password: 'x', action: 'y' });
    const { text } = await browser.get(path);
    expect([text.includes('Nothing has been done yet.'), text.includes('is still here')]).toEqual([
      true,
      false,
    ]);
    await browser.post(path, fields);
    expect(browser.cookies.has('__Host-kept-form')).toBe(true);
    await browser.signIn(other.userId);
    expect(await hasTyped(browser, path)).toEqual(none);
  });
});
