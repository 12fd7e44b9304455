import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callApi } from '../../support/api/client.ts';
import { Browser } from '../../support/browser/browser.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';

const path = '/account/notifications';

const preferencesOf = (userId: number) =>
  env.DIRECTORY.prepare('select allow_notifications, muted_mails from users where id = ?')
    .bind(userId)
    .first();

const allowsOf = async ({ headers }: TestStore): Promise<unknown> =>
  (await callApi('POST', '/v2/auth/me', { headers })).body.allow_notifications;

const linesOf = async (userId: number) =>
  (
    await env.DIRECTORY.prepare(
      `select action, actor_id from audit where action = 'user.notifications_changed' and target_id = ?`,
    )
      .bind(String(userId))
      .all()
  ).results;

const tickedOf = (html: string) =>
  [...html.matchAll(/<input type="checkbox" name="\w+" value="(\w+)" checked/g)].map(
    ([, value]) => value,
  );

describe('/account/notifications', () => {
  it('everything is on at first, and POST /auth/me says so', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    const { html, status } = await browser.get(path);
    expect(status).toBe(200);
    expect(await allowsOf(own)).toBe(true);
    expect(tickedOf(html)).toEqual([
      'yes',
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

  it('returns 303, keeps what is ticked, and writes one line of the audit for a change', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    const values = { allows: 'yes', kinds: ['export_ready', 'app_connected', 'nonsense'] };
    for (const _ of [1, 2]) {
      const response = await browser.submit(path, values);
      expect([response.status, response.location]).toEqual([303, `${path}?done=saved`]);
    }
    expect(await preferencesOf(own.userId)).toEqual({
      allow_notifications: 1,
      muted_mails:
        '["app_disconnected","member_removed","webhook_failing","webhook_switched_off","app_webhook_switched_off","event_budget","store_reactivated"]',
    });
    expect(await linesOf(own.userId)).toEqual([
      { action: 'user.notifications_changed', actor_id: String(own.userId) },
    ]);
    const page = await browser.get(`${path}?done=saved`);
    expect(page.text).toContain('Your choice is saved.');
    expect(tickedOf(page.html)).toEqual(['yes', 'export_ready']);
  });

  it('allow_notifications of POST /auth/me follows', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    await browser.submit(path, { kinds: [] });
    expect(await allowsOf(own)).toBe(false);
  });

  it('pages that lead to a mail say so if the service has no sender', async () => {
    const own = await createTestStore();
    const browser = await new Browser().signIn(own.userId);
    const pages = [
      path,
      '/password/forgotten?sent=yes',
      '/sign-up?sent=yes',
      `/account/stores/${own.alias}/members/invite`,
    ];
    const textOf = async (page: string) => (await browser.get(page)).text;
    for (const page of pages) expect(await textOf(page)).not.toContain('cannot send e-mails');
    // The binding is missing where no sender is configured.
    browser.bindings = { EMAIL: undefined } as unknown as Partial<Env>;
    for (const page of pages) {
      expect(await textOf(page), page).toContain('This service cannot send e-mails');
    }
  });
});
