import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser, type FormValues } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { createTestUser } from '../../support/fixtures/members.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';

const path = '/account/new-store';

/** A browser of a user, with the fields of the form for one store. */
async function openForm(userId: number, limits: Record<string, string> = {}) {
  const browser = await new Browser().signIn(userId);
  browser.bindings = { SIGN_UP: 'everyone', ...limits } as unknown as Partial<Env>;
  const hidden = hiddenFieldsOf(await browser.get(path), path);
  const make = (fields: FormValues = {}) =>
    browser.post(path, {
      ...hidden,
      name: 'Loja',
      zone: 'America/Sao_Paulo',
      alias: `n${crypto.randomUUID().slice(0, 12)}`,
      ...fields,
    });
  return { browser, make };
}

const countOf = (userId: number) =>
  env.DIRECTORY.prepare('select count(*) as n from stores where owner_id = ?')
    .bind(userId)
    .first<number>('n');

const twenty = Array.from({ length: 20 }, (_, index) => index);

/** Lets the stores of a user be made days ago. */
const age = (userId: number) =>
  env.DIRECTORY.prepare('update stores set created_at = created_at - 90000000 where owner_id = ?')
    .bind(userId)
    .run();

const noDay = { STORES_PER_DAY: '1000' };

describe('the stores that one user makes', () => {
  it('attack: are three in a day, of twenty requests at once; the others get 429 with the wait', async () => {
    const { userId } = await createTestUser();
    const { make } = await openForm(userId);
    const answers = await Promise.all(twenty.map(() => make()));
    const statuses = answers.map(({ status }) => status).sort((a, b) => a - b);
    expect(statuses).toEqual([303, 303, 303, ...Array.from({ length: 17 }, () => 429)]);
    expect(await countOf(userId)).toBe(3);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.text).toContain('You made 3 stores within a day, the maximum.');
    const wait = Number(refused?.headers.get('Retry-After'));
    expect(wait).toBeGreaterThan(86_000);
    expect(wait).toBeLessThanOrEqual(86_400);
    await age(userId);
    expect((await make()).status).toBe(303);
  });

  it('attack: are ten in all, of twenty requests at once (409), and closing one makes no room', async () => {
    const { userId } = await createTestUser();
    const { make } = await openForm(userId, noDay);
    const answers = await Promise.all(twenty.map(() => make()));
    expect(answers.filter(({ status }) => status === 303)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(10);
    expect(await countOf(userId)).toBe(10);
    await env.DIRECTORY.prepare('update stores set active = 0, closed_at = 1 where owner_id = ?')
      .bind(userId)
      .run();
    const full = await make();
    expect([full.status, full.text]).toEqual([
      409,
      expect.stringContaining('You have 10 stores, the maximum.'),
    ]);
    await env.DIRECTORY.prepare(
      'update stores set erased_at = 1 where id = (select min(id) from stores where owner_id = ?)',
    )
      .bind(userId)
      .run();
    expect((await make()).status).toBe(303);
    expect((await make()).status).toBe(409);
  });

  it('attack: count for the day also once they are handed over or erased', async () => {
    const { userId } = await createTestUser();
    const { userId: friend } = await createTestUser();
    const { make } = await openForm(userId);
    for (const sql of [
      'update stores set owner_id = ?2 where owner_id = ?1',
      'update stores set erased_at = ?2 where owner_id = ?1',
      'update stores set active = 0, closed_at = ?2 where owner_id = ?1',
    ]) {
      expect((await make()).status).toBe(303);
      await env.DIRECTORY.prepare(sql).bind(userId, friend).run();
    }
    expect((await make()).status).toBe(429);
  });

  it('are as many as the settings say, and unlimited for an operator', async () => {
    const { userId } = await createTestUser();
    const { make } = await openForm(userId, { STORES_PER_DAY: '1', STORES_PER_USER: '2' });
    expect((await make()).status).toBe(303);
    expect((await make()).status).toBe(429);
    const operator = await createTestOperator();
    const { make: makeAsOperator } = await openForm(operator.userId, { STORES_PER_USER: '1' });
    for (const _ of twenty.slice(0, 5)) expect((await makeAsOperator()).status).toBe(303);
  });

  it('says first that the alias is taken, and counts no store that was not made', async () => {
    const { userId } = await createTestUser();
    const { make } = await openForm(userId, { STORES_PER_DAY: '2' });
    const alias = `n${crypto.randomUUID().slice(0, 12)}`;
    expect((await make({ alias })).status).toBe(303);
    const { userId: other } = await createTestUser();
    const { make: makeAsOther } = await openForm(other, { STORES_PER_DAY: '1' });
    expect((await makeAsOther({ alias })).text).toContain('Another store has or had this alias.');
    expect((await makeAsOther()).status).toBe(303);
    expect((await makeAsOther()).status).toBe(429);
  });
});
