import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { deleteOldAudit } from '../../../src/data/directory/activity.ts';
import { closeStore } from '../../../src/stores/close-store.ts';
import { deleteTestStore } from '../../../src/stores/test-stores/manage-test-stores.ts';
import { actionOf } from '../../support/action.ts';
import { Browser } from '../../support/browser/browser.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { sweepJobs } from '../../support/jobs.ts';
import { sentMails } from '../../support/mail.ts';

const reason = 'By order of a court.';
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

type Operator = Awaited<ReturnType<typeof createTestOperator>>;
let [olga, otto]: Operator[] = [];

beforeAll(async () => {
  [olga, otto] = [await createTestOperator(), await createTestOperator()];
});

/** An operator of this file, by name. */
const by = (operator: Operator | undefined) => {
  if (!operator) throw new Error('no operator');
  return operator;
};

const pathOf = ({ id }: TestStore) => `/operator/stores/${id}/erasures`;

const ask = async (store: TestStore, immediately?: boolean, operator = by(olga)) =>
  operator.api(`POST ${pathOf(store)}`, { reason, ...(immediately && { immediately }) });

const confirm = async (store: TestStore, jobId: number, operator = by(otto)) =>
  operator.api(`POST ${pathOf(store)}/${jobId}/confirm`, { reason });

const cancel = async (jobId: number, operator = by(olga)) =>
  operator.api(`POST /operator/jobs/${jobId}/cancel`);

const stateOf = ({ id }: TestStore) =>
  env.DIRECTORY.prepare(
    'select active, closed_by, erase_at, erased_at is not null as erased from stores where id = ?',
  )
    .bind(id)
    .first<{ active: number; closed_by: string | null; erase_at: number; erased: number }>();

const untouched = { active: 1, closed_by: null, erase_at: null, erased: 0 };

/** Does the work that is due on the shard of a store at a time. */
async function work(store: TestStore, now: number) {
  for (let round = 0; round < 4; round += 1) await sweepJobs(store.shard, now);
}

const ownerOf = ({ alias }: TestStore) => `${alias}@store.test`;

const mailsTo = (email: string) => sentMails(email, 'store_erasure_ordered');

/** Lets these have been made operators earlier than they were. */
const makeOperatorsEarlier = (ms: number, ...made: readonly Operator[]) =>
  env.DIRECTORY.batch(
    made.map(({ userId }) =>
      env.DIRECTORY.prepare(
        "update audit set at = at - ? where action = 'user.made_operator' and target_id = ?",
      ).bind(ms, String(userId)),
    ),
  );

/** Closes a store as its owner, some days ago. */
const closeAgo = (store: TestStore, days: number) =>
  closeStore(actionOf(store.userId, Date.now() - days * dayMs), {
    storeId: store.id,
    reason: 'Sold.',
  });

describe('the erasure of a store by an operator', () => {
  it('attack: returns 409 (closed_too_recently) for an active store and one closed for 29 days, and 202 after 30', async () => {
    const store = await createTestStore();
    const refused = await ask(store);
    expect([refused.status, refused.body.code]).toEqual([409, 'closed_too_recently']);
    expect(await stateOf(store)).toEqual(untouched);
    await closeAgo(store, 29);
    const early = await ask(store);
    expect([early.status, early.body.code]).toEqual([409, 'closed_too_recently']);
    const old = await createTestStore();
    await closeAgo(old, 30);
    const [one, other] = await Promise.all([ask(old), ask(old, false, by(otto))]);
    expect([one.status, other.status]).toEqual([202, 202]);
    expect(one.body.data.id).toBe(other.body.data.id);
    expect(await stateOf(old)).toMatchObject({ closed_by: 'operator', erased: 0 });
    await work(old, Date.now() + 3 * 60_000);
    expect(await stateOf(old)).toMatchObject({ erased: 1 });
  });

  it('attack: at once does nothing but tell every member until another operator confirms, and lapses (409 nothing_to_confirm)', async () => {
    const store = await createTestStore();
    const viewer = await addTestMember(store, 'viewer');
    const asked = await Promise.all(Array.from({ length: 10 }, () => ask(store, true)));
    expect(new Set(asked.map(({ status, body }) => `${status} ${body.data.id}`)).size).toBe(1);
    const [{ body }] = asked as [(typeof asked)[number]];
    expect(body.data).toMatchObject({
      kind: 'immediate_erasure',
      state: 'waiting',
      requested_by: by(olga).userId,
      confirmed_by: null,
    });
    for (const email of [ownerOf(store), viewer.email]) {
      const mails = await mailsTo(email);
      expect(mails).toHaveLength(1);
      expect(mails[0]?.text).toContain(reason);
      expect(mails[0]?.text).toContain('tell us now');
    }
    await work(store, Date.now() + 7 * dayMs - hourMs);
    expect(await stateOf(store)).toEqual(untouched);
    await work(store, Date.now() + 7 * dayMs + hourMs);
    expect(await stateOf(store)).toEqual(untouched);
    const lapsed = await by(olga).api(`GET /operator/jobs/${body.data.id}`);
    expect(lapsed.body.data).toMatchObject({ state: 'cancelled', due_at: null });
    const late = await confirm(store, body.data.id);
    expect([late.status, late.body.code]).toEqual([409, 'nothing_to_confirm']);
  });

  it('attack: is not confirmed by the operator who asked (409 second_operator_needed), by key or page', async () => {
    const store = await createTestStore();
    const { body } = await ask(store, true);
    const own = await confirm(store, body.data.id, by(olga));
    expect([own.status, own.body.code]).toEqual([409, 'second_operator_needed']);
    const page = `${pathOf(store)}/${body.data.id}/confirm`;
    // Another operator finds it without being told.
    const overview = await (await new Browser().signIn(by(otto).userId)).get('/operator');
    expect(overview.html).toContain(`href="/operator/stores/${store.id}"`);
    expect(overview.text).toContain('Erasure at once. Waits for another operator until');
    const browser = await new Browser().signIn(by(olga).userId);
    expect((await browser.get(`/operator/stores/${store.id}`)).html).not.toContain(page);
    const forged = await browser.submit(page, { reason, typed: store.alias });
    expect([forged.status, forged.text]).toEqual([
      409,
      expect.stringContaining('It takes two operators'),
    ]);
    expect(await stateOf(store)).toEqual(untouched);
  });

  it('attack: is not decided by one person with several accounts, whoever asks (409 second_operator_needed)', async () => {
    const store = await createTestStore();
    const make = async (maker: Operator) => {
      const made = await createTestOperator({ isOperator: false, hasPassword: true });
      const answer = await maker.api(`POST /operator/users/${made.userId}/make-operator`);
      expect(answer.status).toBe(200);
      return made;
    };
    const puppet = await make(by(olga));
    const second = await make(puppet);
    const sister = await make(puppet);
    const colleague = await make(by(otto));
    // The lines about them outlive those of other actions.
    await makeOperatorsEarlier(400 * dayMs, puppet, second, sister, colleague);
    await deleteOldAudit(openDatabase(env.DIRECTORY), Date.now());
    const pairs = [
      [by(olga), puppet],
      [puppet, by(olga)],
      [puppet, second],
      [by(olga), second],
      [second, by(olga)],
      [second, sister],
    ] as const;
    for (const [index, [one, other]] of pairs.entries()) {
      // From here on the one in between is none any more.
      if (index === 3) await by(otto).api(`POST /operator/users/${puppet.userId}/revoke-operator`);
      const { body } = await ask(store, true, one);
      const refused = await confirm(store, body.data.id, other);
      expect([refused.status, refused.body.code]).toEqual([409, 'second_operator_needed']);
      // The page says why.
      const browser = await new Browser().signIn(other.userId);
      const page = await browser.submit(`${pathOf(store)}/${body.data.id}/confirm`, {
        reason,
        typed: store.alias,
      });
      expect(page.text).toContain('neither may have made the other one');
      expect((await cancel(body.data.id)).status).toBe(200);
    }
    expect(await stateOf(store)).toEqual(untouched);
    const { body } = await ask(store, true, second);
    expect((await confirm(store, body.data.id, colleague)).status).toBe(200);
  });

  it('attack: is decided by those only who have been operators for seven days, and asked for by them (409)', async () => {
    const store = await createTestStore();
    const [one, other] = [await createTestOperator(), await createTestOperator()];
    const made = await createTestOperator({ isOperator: false, hasPassword: true });
    await one.api(`POST /operator/users/${made.userId}/make-operator`);
    const early = await ask(store, true, made);
    expect([early.status, early.body.code]).toEqual([409, 'second_operator_needed']);
    expect(await mailsTo(ownerOf(store))).toEqual([]);
    const { body } = await ask(store, true, other);
    await makeOperatorsEarlier(7 * dayMs - hourMs, made);
    expect((await confirm(store, body.data.id, made)).status).toBe(409);
    await makeOperatorsEarlier(hourMs, made);
    expect((await confirm(store, body.data.id, made)).status).toBe(200);
  });

  it('tells all operators of a new one, and of an erasure that is asked for and confirmed, by mail', async () => {
    const store = await createTestStore();
    const [third, former] = [await createTestOperator(), await createTestOperator()];
    await by(olga).api(`POST /operator/users/${former.userId}/revoke-operator`);
    const made = await createTestOperator({ isOperator: false });
    await by(olga).api(`POST /operator/users/${made.userId}/make-operator`);
    const { body } = await ask(store, true);
    await confirm(store, body.data.id);
    const about = async ({ email }: { email: string }) =>
      (await sentMails(email)).filter(({ text }) =>
        [`/operator/users/${made.userId}`, `/operator/stores/${store.id}`].some((path) =>
          text.includes(path),
        ),
      );
    for (const operator of [third, by(olga), by(otto)]) {
      const mails = await about(operator);
      expect(mails.map(({ kind }) => kind).toSorted()).toEqual([
        'operator_added',
        'store_erasure_told',
        'store_erasure_told',
      ]);
      for (const { kind, text } of mails) {
        expect(text).toContain(kind === 'operator_added' ? 'Asked for by its owner' : reason);
      }
    }
    expect(await about(former)).toEqual([]);
    expect((await sentMails(made.email)).map(({ kind }) => kind)).toContain('operator_made');
    expect(await sentMails(made.email, 'operator_added')).toEqual([]);
  });

  it('attack: is not confirmed once the operator who asked is none any more (409), nor by a reader of another store (404)', async () => {
    const store = await createTestStore();
    const former = await createTestOperator();
    const { body } = await ask(store, true, former);
    await env.DIRECTORY.prepare('update users set super_user = 0 where id = ?')
      .bind(former.userId)
      .run();
    expect((await confirm(store, body.data.id)).body.code).toBe('nothing_to_confirm');
    const elsewhere = await confirm(await createTestStore(), body.data.id);
    expect(elsewhere.status).toBe(404);
    expect(await stateOf(store)).toEqual(untouched);
  });

  it('closes the store when it is confirmed (200), tells every member again, and erases it 24 hours later', async () => {
    const store = await createTestStore();
    const viewer = await addTestMember(store, 'viewer');
    const { body } = await ask(store, true);
    const third = await createTestOperator();
    const answers = await Promise.all([
      confirm(store, body.data.id),
      confirm(store, body.data.id, third),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[0].body.data.confirmed_by).toBe(answers[1].body.data.confirmed_by);
    expect(await stateOf(store)).toMatchObject({ active: 0, closed_by: 'operator' });
    expect(await mailsTo(ownerOf(store))).toHaveLength(2);
    const [sent] = await mailsTo(viewer.email);
    expect(sent?.text).toContain('tell us at once');
    const lines = env.DIRECTORY.prepare(
      "select count(*) as n from audit where store_id = ? and action = 'store.erasure_confirmed'",
    );
    expect(await lines.bind(store.id).first('n')).toBe(1);
    const at = Date.now();
    await work(store, at + dayMs - hourMs);
    expect(await stateOf(store)).toMatchObject({ erased: 0 });
    await work(store, at + dayMs + hourMs);
    expect(await stateOf(store)).toMatchObject({ erased: 1 });
    const gone = await cancel(body.data.id);
    expect([gone.status, gone.body.data.state]).toEqual([200, 'done']);
  });

  it('attack: is not stopped by the owner who opens the store, but by any operator in the 24 hours', async () => {
    const store = await createTestStore();
    await closeAgo(store, 2);
    const day = (await stateOf(store))?.erase_at;
    const { body } = await ask(store, true);
    await confirm(store, body.data.id);
    expect((await stateOf(store))?.erase_at).toBeLessThan(day ?? 0);
    const owner = await new Browser().signIn(store.userId);
    expect((await owner.get(`/account/stores/${store.alias}/reopen`)).status).toBe(409);
    const third = await createTestOperator();
    const cancelled = await cancel(body.data.id, third);
    expect([cancelled.status, cancelled.body.data.state]).toEqual([200, 'cancelled']);
    // The day of the closing counts again.
    expect(await stateOf(store)).toMatchObject({ closed_by: 'operator', erase_at: day });
    await work(store, Date.now() + 2 * dayMs);
    expect(await stateOf(store)).toMatchObject({ erased: 0 });
    await work(store, Date.now() + 29 * dayMs);
    expect(await stateOf(store)).toMatchObject({ erased: 1 });
  });

  it('returns 422 without a reason, and 409 (job_irrevocable) to cancel what has begun', async () => {
    const store = await createTestStore();
    const blank = await by(olga).api(`POST ${pathOf(store)}`, {
      immediately: true,
      reason: undefined,
    });
    expect(blank.status).toBe(422);
    const { body } = await ask(store, true);
    expect(
      (await by(otto).api(`POST ${pathOf(store)}/${body.data.id}/confirm`, { reason: undefined }))
        .status,
    ).toBe(422);
    await confirm(store, body.data.id);
    await env.DIRECTORY.prepare(`update jobs set progress = '{"begunAt":1}' where id = ?`)
      .bind(body.data.id)
      .run();
    const refused = await cancel(body.data.id);
    expect([refused.status, refused.body.code]).toEqual([409, 'job_irrevocable']);
  });

  it('is asked for, confirmed and cancelled on the page of the store', async () => {
    const store = await createTestStore();
    const page = `/operator/stores/${store.id}`;
    const one = await new Browser().signIn(by(olga).userId);
    const early = await one.submit(`${page}/erase`, { reason, typed: store.alias });
    expect([early.status, early.text]).toEqual([
      409,
      expect.stringContaining('has not been closed for 30 days'),
    ]);
    const asked = await one.submit(`${page}/erase`, {
      reason,
      immediately: 'true',
      typed: store.alias,
    });
    expect([asked.status, asked.location]).toEqual([303, `${page}?done=eraseStore`]);
    expect((await one.get(page)).text).toContain('Waits for another operator until');
    const other = await new Browser().signIn(by(otto).userId);
    const [, job] = /erasures\/(\d+)\/confirm/.exec((await other.get(page)).html) ?? [];
    const confirmed = await other.submit(`${page}/erasures/${job}/confirm`, {
      reason,
      typed: store.alias,
    });
    expect([confirmed.status, confirmed.location]).toEqual([
      303,
      `${page}?done=confirmStoreErasure`,
    ]);
    expect(await stateOf(store)).toMatchObject({ active: 0, closed_by: 'operator' });
    // Cancelling is never in the way: it needs no reason and no fresh proof.
    const third = await new Browser().signIn(by(olga).userId, Date.now() - 11 * 60_000);
    expect((await third.submit(`${page}/erasures/${job}/cancel`)).status).toBe(303);
    expect((await third.submit(`${page}/erasures/999999/cancel`)).status).toBe(404);
    expect((await one.get(page)).text).toContain('Cancelled');
    expect((await one.get('/operator/activity')).text).toContain('Confirmed the erasure at once');
  });
});

describe('the deletion of a test store by its owner', () => {
  it('attack: does nothing to a store that an operator has locked, or that is no test store', async () => {
    const [locked, other] = [await createTestStore(), await createTestStore()];
    await env.DIRECTORY.prepare('update stores set test = 1 where id = ?').bind(locked.id).run();
    await by(olga).api(`POST /operator/stores/${locked.id}/deactivate`, { reason });
    for (const store of [locked, other]) {
      const deletion = deleteTestStore(actionOf(store.userId), store);
      await expect(deletion).rejects.toMatchObject({ status: 404 });
      expect(await stateOf(store)).toMatchObject({ closed_by: null, erase_at: null });
    }
  });

  it('begins within minutes, without another person', async () => {
    const store = await createTestStore();
    await env.DIRECTORY.prepare('update stores set test = 1 where id = ?').bind(store.id).run();
    await deleteTestStore(actionOf(store.userId), store);
    expect(await stateOf(store)).toMatchObject({ active: 0, closed_by: 'owner', erased: 0 });
    await work(store, Date.now() + 3 * 60_000);
    expect(await stateOf(store)).toMatchObject({ erased: 1 });
  });
});
