import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore } from '../../support/fixtures/store.ts';
import { readJob, sweepJobs } from '../../support/jobs.ts';
import { lastLink, sentMails } from '../../support/mail.ts';
import { givePassword } from '../../support/password.ts';
import { addSecondFactor } from '../../support/second-factor.ts';

const reason = 'Lost the phone, and asked by letter.';
const dayMs = 24 * 60 * 60_000;
let operator: Awaited<ReturnType<typeof createTestOperator>>;

beforeAll(async () => {
  operator = await createTestOperator();
});

/** A user who has lost phone and codes, and a browser that is still signed in. */
async function createUser() {
  const { userId, alias } = await createTestStore();
  await givePassword(userId);
  await addSecondFactor(userId);
  await env.DIRECTORY.prepare(
    `insert into remembered_devices (user_id, token_hash, device, created_at, used_day, expires_at)
      values (?1, ?2, '', ?3, ?3, ?3)`,
  )
    .bind(userId, crypto.randomUUID(), Date.now() + 30 * dayMs)
    .run();
  const browser = await new Browser().signIn(userId);
  const path = `/operator/users/${userId}/second-factor/removals`;
  return { userId, email: `${alias}@store.test`, browser, path };
}

const remove = async (path: string) => operator.api(`POST ${path}`, { reason });

/** Does the work that is due at a time, on every shard. */
async function work(now: number) {
  for (const shard of [0, 1]) await sweepJobs(shard, now);
}

const stateOf = (userId: number) =>
  env.DIRECTORY.prepare(
    `select mfa_enabled as isOn, (select count(*) from second_factors f where f.user_id = u.id) as factors,
       (select count(*) from recovery_codes c where c.user_id = u.id) as codes,
       (select count(*) from sessions s where s.user_id = u.id) as sessions,
       (select count(*) from remembered_devices d where d.user_id = u.id) as devices
     from users u where id = ?`,
  )
    .bind(userId)
    .first();

const untouched = { isOn: 1, factors: 1, codes: 10, sessions: 1, devices: 1 };
const removed = { isOn: 0, factors: 0, codes: 0, sessions: 0, devices: 0 };

const linesOf = async (userId: number) => {
  const { results } = await env.DIRECTORY.prepare(
    `select action, actor_kind, reason from audit where target_kind = 'user' and target_id = ?
       and action <> 'user.second_factor_on' order by id`,
  )
    .bind(String(userId))
    .all();
  return results;
};

describe('the removal of two-step sign-in by an operator', () => {
  it('returns 202, notifies the user at once, and takes effect after 24 hours: factor, codes, sessions and remembered devices go', async () => {
    const { userId, email, browser, path } = await createUser();
    const { status, headers, body } = await remove(path);
    expect([status, body.data]).toMatchObject([
      202,
      { kind: 'second_factor_removal', state: 'waiting', finished_at: null },
    ]);
    expect(headers.get('Location')).toBe(`/v2/operator/jobs/${body.data.id}`);
    const [mail] = await sentMails(email, 'second_factor_removal');
    expect(mail?.text).toContain(reason);
    const at = Date.now();
    await work(at + dayMs - 60_000);
    expect(await stateOf(userId)).toEqual(untouched);
    await work(at + dayMs);
    expect(await stateOf(userId)).toEqual(removed);
    expect((await operator.api(`GET /operator/jobs/${body.data.id}`)).body.data).toMatchObject({
      state: 'done',
      result: { counts: { second_factors: 1 } },
    });
    expect((await sentMails(email, 'second_factor_changed'))[0]?.data).toEqual({
      change: 'removed',
    });
    expect((await browser.get('/account')).text).toContain('E-mail address');
    expect(await linesOf(userId)).toEqual([
      { action: 'user.second_factor_removal_requested', actor_kind: 'operator', reason },
      { action: 'user.second_factor_removed', actor_kind: 'system', reason },
    ]);
  });

  it('returns 202 with the same job for ten requests at once, and sends one mail', async () => {
    const { email, path } = await createUser();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(path)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([202]));
    expect(new Set(answers.map(({ body }) => body.data.id)).size).toBe(1);
    expect(await sentMails(email, 'second_factor_removal')).toHaveLength(1);
  });

  it('attack: does not happen once the user objects by the link of the mail, which works once (404)', async () => {
    const { userId, email, path } = await createUser();
    const { body } = await remove(path);
    const link = await lastLink(email, 'second_factor_removal');
    const anywhere = new Browser();
    const [pathname = ''] = link.split('?');
    expect((await anywhere.get(link)).text).toContain('Keep two-step sign-in?');
    const fields = hiddenFieldsOf(await anywhere.get(link), pathname);
    const kept = await anywhere.post(pathname, fields);
    expect([kept.status, kept.location]).toEqual([303, `${pathname}?done=yes`]);
    expect((await anywhere.get(`${pathname}?done=yes`)).text).toContain(
      'Two-step sign-in stays on',
    );
    expect((await anywhere.post(pathname, fields)).status).toBe(404);
    expect((await anywhere.get(link)).status).toBe(404);
    await work(Date.now() + 2 * dayMs);
    expect(await stateOf(userId)).toEqual(untouched);
    expect((await readJob(body.data)).state).toBe('cancelled');
    expect((await linesOf(userId)).map(({ action }) => action)).toEqual([
      'user.second_factor_removal_requested',
      'user.second_factor_kept',
      'job.cancelled',
    ]);
  });

  it('attack: takes no factor that the user has set up after the request', async () => {
    const { userId, path } = await createUser();
    const { body } = await remove(path);
    await env.DIRECTORY.prepare('update second_factors set created_at = ? where user_id = ?')
      .bind(Date.now() + 1, userId)
      .run();
    await work(Date.now() + dayMs);
    expect(await stateOf(userId)).toEqual(untouched);
    expect((await readJob(body.data)).result).toEqual({ counts: { second_factors: 0 } });
  });

  it('attack: takes no factor of a user who has become an operator meanwhile', async () => {
    const { userId, path } = await createUser();
    expect((await remove(path)).status).toBe(202);
    expect((await operator.api(`POST /operator/users/${userId}/make-operator`)).status).toBe(200);
    await work(Date.now() + dayMs + 60_000);
    expect(await stateOf(userId)).toEqual(untouched);
  });

  it('attack: is objected to no more by the link of a removal that an operator has cancelled (404)', async () => {
    const { userId, email, path } = await createUser();
    const { body } = await remove(path);
    const old = await lastLink(email, 'second_factor_removal');
    expect((await operator.api(`POST /operator/jobs/${body.data.id}/cancel`)).body.data.state).toBe(
      'cancelled',
    );
    await remove(path);
    expect((await new Browser().get(old)).status).toBe(404);
    expect(await lastLink(email, 'second_factor_removal')).not.toBe(old);
    await work(Date.now() + dayMs + 60_000);
    expect(await stateOf(userId)).toEqual(removed);
  });

  it('returns 409 for a user without a factor or who is locked out, 404 for an unknown user, and 422 without a reason', async () => {
    const { userId, path } = await createUser();
    expect((await operator.api(`POST ${path}`, { reason: undefined })).status).toBe(422);
    const unknown = await operator.api('POST /operator/users/999999999/second-factor/removals', {
      reason,
    });
    expect(unknown.status).toBe(404);
    await env.DIRECTORY.prepare('update users set active = 0 where id = ?').bind(userId).run();
    const inactive = await remove(path);
    expect([inactive.status, inactive.body.code]).toEqual([409, 'user_inactive']);
    const colleague = await createTestOperator();
    const refused = await remove(`/operator/users/${colleague.userId}/second-factor/removals`);
    expect([refused.status, refused.body.code]).toEqual([409, 'user_is_operator']);
    const { userId: without } = await createTestStore();
    const none = await remove(`/operator/users/${without}/second-factor/removals`);
    expect([none.status, none.body.code]).toEqual([409, 'no_second_factor']);
  });

  it('is asked for on the page of the user, by an operator who has just shown a code', async () => {
    const { userId, email } = await createUser();
    const olga = await new Browser().signIn(operator.userId, Date.now() - 11 * 60_000);
    const page = `/operator/users/${userId}`;
    expect((await olga.get(page)).html).toContain(`href="${page}/remove-second-factor"`);
    const early = await olga.submit(`${page}/remove-second-factor`, { reason });
    expect(early.text).toContain('Enter a code');
    expect(await sentMails(email, 'second_factor_removal')).toEqual([]);
    const fresh = await new Browser().signIn(operator.userId);
    const asked = await fresh.submit(`${page}/remove-second-factor`, { reason });
    expect([asked.status, asked.location]).toEqual([303, `${page}?done=removeSecondFactor`]);
    expect(await sentMails(email, 'second_factor_removal')).toHaveLength(1);
    expect((await fresh.get('/operator/activity')).text).toContain(
      'Asked for the two-step sign-in of a user to be removed',
    );
  });
});
