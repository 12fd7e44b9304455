import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { operatorPages } from '../../../src/pages/operator/operator-pages.ts';
import { Browser, tokenFor } from '../../support/browser/browser.ts';
import { createTestUser } from '../../support/fixtures/members.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { sentMails } from '../../support/mail.ts';
import { showCode } from '../../support/second-factor.ts';

const operator = await createTestOperator();
const olga = await new Browser().signIn(operator.userId);
const reason = 'A test';

await env.DIRECTORY.prepare(
  'insert into shards (number) values (0), (1) on conflict do nothing',
).run();

const pathOf = (path: string, id: number) => path.replaceAll(/:\w+/g, String(id));

const stateOf = (storeId: number) =>
  env.DIRECTORY.prepare('select active, alias, lock_reason from stores where id = ?')
    .bind(storeId)
    .first<{ active: number; alias: string; lock_reason: string | null }>();

describe('the pages of operators', () => {
  it('do not exist (404) for an owner, and ask a stranger to sign in', async () => {
    const { id, userId } = await createTestStore();
    const owner = await new Browser().signIn(userId);
    for (const { path, onSubmit } of operatorPages) {
      const own = pathOf(path, id);
      expect([own, (await owner.get(own)).status]).toEqual([own, 404]);
      expect((await new Browser().get(own)).html).toContain('action="/session"');
      // Without a token of that page.
      if (onSubmit) expect((await owner.post(own, { reason })).status).toBeGreaterThanOrEqual(400);
    }
    expect(await stateOf(id)).toMatchObject({ active: 1, lock_reason: null });
  });

  it('are closed (403) to an operator without two-step sign-in where it is required', async () => {
    const { userId } = await createTestOperator({ hasSecondFactor: false });
    const browser = await new Browser().signIn(userId);
    browser.bindings = { OPERATOR_MFA: 'required' } as unknown as Partial<Env>;
    expect((await browser.get('/operator')).status).toBe(403);
    expect((await browser.get('/operator/stores')).status).toBe(403);
  });

  it('with a form that takes a reason can be read, and ask again who it is when it is sent', async () => {
    const { id } = await createTestStore();
    const browser = await new Browser().signIn(operator.userId);
    await showCode(operator.userId, 1);
    const forms = operatorPages.filter(({ onSubmit }) => onSubmit);
    expect(forms.length).toBeGreaterThan(20);
    const invite = `/operator/stores/${id}/invite`;
    expect((await browser.get(invite)).html).toContain('name="reason"');
    const asks = [];
    for (const { path, needsProof } of forms) {
      const own = pathOf(path, id);
      const { text } = await browser.post(own, {
        form_token: await tokenFor(browser, own),
        reason,
      });
      const isAsked = text.includes('Confirm that it is you');
      expect([path, isAsked]).toEqual([path, needsProof === true]);
      if (isAsked) asks.push(path);
    }
    expect(asks.length).toBeGreaterThan(20);
    await showCode(operator.userId);
    // The same form after a proof, so the test above sees a difference.
    expect((await browser.submit(invite, { reason })).text).not.toContain('Confirm that');
  });

  it('show the health with every database', async () => {
    const { status, text } = await olga.get('/operator');
    expect(status).toBe(200);
    expect(text).toContain('Databases');
    expect(text).toContain('Takes new stores');
  });
});

describe('the forms of operators', () => {
  it('make a store and say what is wrong beside the field (422), or taken (409)', async () => {
    const alias = `p${crypto.randomUUID().slice(0, 10)}`;
    const fields = {
      alias,
      name: 'Loja',
      timezone: 'America/Bahia',
      owner_email: `${alias}@loja.test`,
      reason,
    };
    const path = '/operator/stores/new';
    const shown = (await olga.get(path)).html;
    expect(/<input[^>]*name="alias"[^>]*>/.exec(shown)?.[0]).toContain('required');
    const wrong = await olga.submit(path, { ...fields, timezone: 'Mars/Olympus' });
    expect(wrong.status).toBe(422);
    expect(wrong.html).toContain('id="timezone-error"');
    const made = await olga.submit(path, fields);
    expect([made.status, made.location]).toEqual([
      303,
      expect.stringMatching(/^\/operator\/stores\/\d+\?done=createStore$/),
    ]);
    expect(await sentMails(fields.owner_email)).toHaveLength(1);
    const taken = await olga.submit(path, { ...fields, name: 'Other' });
    expect(taken.status).toBe(409);
    expect(taken.text).toContain('Another store has or had this alias.');
    expect((await olga.get(made.location!)).text).toContain('America/Bahia');
    expect((await olga.get(`/operator/stores?search=${alias}`)).text).toContain('Loja');
  });

  it('make a user', async () => {
    const email = `${crypto.randomUUID().slice(0, 10)}@user.test`;
    expect((await olga.submit('/operator/users/new', { name: '', email, reason })).status).toBe(
      422,
    );
    const made = await olga.submit('/operator/users/new', { name: 'Maria', email, reason });
    expect(made.status).toBe(303);
    expect((await olga.get(made.location!)).text).toContain('Invited');
  });

  it('show an erased store by its alias', async () => {
    const { id } = await createTestStore();
    await env.DIRECTORY.prepare(
      "update stores set active = 0, erased_at = 1, name = '', alias = 'erased-' || id where id = ?",
    )
      .bind(id)
      .run();
    const { html } = await olga.get(`/operator/stores?search=erased-${id}`);
    expect(html).toContain(`href="/operator/stores/${id}"><bdi>erased-${id}</bdi></a>`);
    expect(html).not.toContain('<bdi></bdi>');
    const store = await olga.get(`/operator/stores/${id}`);
    expect(store.html).toContain(`<h1><bdi>erased-${id}</bdi></h1>`);
  });

  it('deactivate a store only with a reason, and activate it again', async () => {
    const { id } = await createTestStore();
    const page = `/operator/stores/${id}`;
    const empty = await olga.submit(`${page}/deactivate`, { reason: ' ' });
    expect(empty.status).toBe(422);
    expect(empty.html).toContain('id="reason-error"');
    expect((await olga.submit(`${page}/deactivate`, { reason })).location).toBe(
      `${page}?done=deactivateStore`,
    );
    expect(await stateOf(id)).toMatchObject({ active: 0, lock_reason: reason });
    expect((await olga.get(page)).text).toContain(reason);
    expect((await olga.submit(`${page}/reactivate`, { reason })).status).toBe(303);
    expect(await stateOf(id)).toMatchObject({ active: 1, lock_reason: null });
  });

  it('change an alias, and invite and remove a member', async () => {
    const { id, alias } = await createTestStore();
    const { id: other, userId } = await createTestStore();
    const page = `/operator/stores/${id}`;
    const taken = await olga.submit(`${page}/rename`, {
      alias: (await stateOf(other))!.alias,
      reason,
    });
    expect(taken.status).toBe(409);
    expect((await olga.submit(`${page}/rename`, { alias: 'No!', reason })).status).toBe(422);
    expect((await olga.submit(`${page}/rename`, { alias: `${alias}z`, reason })).status).toBe(303);
    expect((await stateOf(id))!.alias).toBe(`${alias}z`);
    const email = `m${id}@user.test`;
    expect((await olga.submit(`${page}/invite`, { email, role: 'owner', reason })).status).toBe(
      422,
    );
    expect((await olga.submit(`${page}/invite`, { email, role: 'viewer', reason })).status).toBe(
      303,
    );
    expect(await sentMails(email)).toHaveLength(1);
    const stays = await olga.submit(`/operator/stores/${other}/members/${userId}/remove`, {
      reason,
    });
    expect(stays.status).toBe(409);
    expect(stays.text).toContain('The owner stays in the store.');
  });

  it('lock a user out and let them in again, and send a new password', async () => {
    const { userId, email } = await createTestUser();
    const page = `/operator/users/${userId}`;
    expect((await olga.submit(`${page}/password-reset`, { reason })).status).toBe(303);
    expect((await sentMails(email)).map(({ kind }) => kind)).toEqual(['password_reset']);
    expect((await olga.submit(`${page}/deactivate`, { reason })).status).toBe(303);
    expect((await olga.submit(`${page}/password-reset`, { reason })).status).toBe(409);
    expect((await olga.get(page)).text).toContain('Locked out');
    expect((await olga.submit(`${page}/reactivate`, { reason })).status).toBe(303);
  });

  it('are of no use on another page: a token of one action does not allow another (403)', async () => {
    const [one, other] = [await createTestStore(), await createTestStore()];
    const { html } = await olga.get(`/operator/stores/${one.id}/deactivate`);
    const token = /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';
    const answer = await olga.post(`/operator/stores/${other.id}/deactivate`, {
      form_token: token,
      reason,
    });
    expect(answer.status).toBe(403);
    expect(await stateOf(other.id)).toMatchObject({ active: 1 });
  });
});

it('the actions of operators by pages and operations are listed with the reason', async () => {
  const { id } = await createTestStore();
  const why = `Because of ${id}`;
  await olga.submit(`/operator/stores/${id}/deactivate`, { reason: why });
  await operator.api(`POST /operator/stores/${id}/reactivate`, { reason: why });
  const { text } = await olga.get('/operator/activity');
  expect(text.split(why)).toHaveLength(3);
  const { body } = await operator.api(`GET /operator/audit?limit=2&actor_id=${operator.userId}`);
  expect(body).toMatchObject({
    data: [
      { action: 'store.reactivated', reason: why, actor: { kind: 'operator' } },
      { action: 'store.deactivated', reason: why, target: { kind: 'store', id: String(id) } },
    ],
  });
  expect((await operator.api('GET /operator/audit?from=yesterday')).status).toBe(400);
});
