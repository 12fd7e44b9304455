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
    expect((await browser.post(path, fields)).location).toBe(path);
    expect((await browser.get(path)).html).not.toContain('name="url"');
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

  it('is not there for another user of the browser, nor for what is secret', async () => {
    const { userId, browser, path, fields } = await fillForm();
    const other = await createTestStore();
    await env.DIRECTORY.prepare(
      `insert into memberships (user_id, store_id, role, created_at)
        select ?, store_id, 'manager', 1 from memberships where user_id = ?`,
    )
      .bind(other.userId, userId)
      .run();
    await prove(userId, Date.now() - hour);
    const { form_token = '' } = fields;
    await browser.post(path, { form_token, password: 'x', action: 'y' });
    expect(browser.cookies.has('__Host-kept-form')).toBe(false);
    await browser.post(path, fields);
    expect(browser.cookies.has('__Host-kept-form')).toBe(true);
    await browser.signIn(other.userId);
    expect(await hasTyped(browser, path)).toEqual(none);
  });
});
