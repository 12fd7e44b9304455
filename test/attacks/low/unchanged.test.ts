import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser, type FormValues } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { addTestMember } from '../../support/fixtures/members.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { addSecondFactor } from '../../support/second-factor.ts';

/** The actions in the audit of a store, oldest first, but those of its making. */
async function linesOf({ id }: TestStore) {
  const { results } = await env.DIRECTORY.prepare(
    "select action from audit where store_id = ? and action <> 'member.invited' order by id",
  )
    .bind(id)
    .all<{ action: string }>();
  return results.map(({ action }) => action);
}

/** Sends one form five times at once, as it was loaded before. */
async function sendFiveTimes(browser: Browser, path: string, fields: FormValues = {}) {
  const sent = { ...hiddenFieldsOf(await browser.get(path), path), ...fields };
  await Promise.all(Array.from({ length: 5 }, () => browser.post(path, sent)));
}

type Case = readonly [
  form: string,
  pathOf: (store: TestStore, memberId: number, invitationId: number) => string,
  fields: (store: TestStore) => FormValues,
  lines: readonly string[],
];

const none = () => ({});

const cases: readonly Case[] = [
  ['edit', () => '/edit', () => ({ name: 'Nova', zone: 'America/Bahia' }), ['store.edited']],
  ['two-step sign-in', () => '/second-factor', none, ['store.second_factor_changed']],
  ['export', () => '/export', none, ['store.export_requested']],
  ['close', () => '/close', ({ alias }) => ({ alias }), ['store.erasure_requested']],
  ['role', (_, id) => `/members/${id}`, () => ({ role: 'manager' }), ['member.role_changed']],
  ['remove', (_, id) => `/members/${id}/remove`, none, ['member.removed']],
  ['hand over', (_, id) => `/members/${id}/hand-over`, none, ['store.handed_over']],
];

describe('a form that changes nothing', () => {
  it.each(cases)('leaves no line in the activity: %s', async (_, pathOf, fields, lines) => {
    const store = await createTestStore();
    await addSecondFactor(store.userId);
    const { userId } = await addTestMember(store, 'viewer');
    const owner = await new Browser().signIn(store.userId);
    const path = `/account/stores/${store.alias}${pathOf(store, userId, 0)}`;
    const before = (await linesOf(store)).length;
    await sendFiveTimes(owner, path, fields(store));
    expect((await linesOf(store)).slice(before)).toEqual(lines);
  });

  it('leaves none when it is opened and sent as it is, or sent again', async () => {
    const store = await createTestStore();
    const owner = await new Browser().signIn(store.userId);
    const path = `/account/stores/${store.alias}/edit`;
    const before = (await linesOf(store)).length;
    const same = { name: 'Test Store', zone: 'America/Sao_Paulo' };
    expect((await owner.submit(path, same)).status).toBe(303);
    expect((await linesOf(store)).length).toBe(before);
    for (let time = 0; time < 2; time += 1) {
      await owner.submit(path, { ...same, name: 'Nova' });
      expect((await linesOf(store)).length).toBe(before + 1);
    }
  });

  it('leaves none of a store that is opened again five times at once', async () => {
    const store = await createTestStore();
    const owner = await new Browser().signIn(store.userId);
    const page = `/account/stores/${store.alias}`;
    await owner.submit(`${page}/close`, { alias: store.alias });
    await sendFiveTimes(owner, `${page}/reopen`);
    expect((await linesOf(store)).slice(-3)).toEqual([
      'store.erasure_requested',
      'job.cancelled',
      'store.reopened',
    ]);
  });
});
