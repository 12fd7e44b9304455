import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { Browser } from '../support/browser/browser.ts';
import { createTestOperator } from '../support/fixtures/operator.ts';
import { createTestStore } from '../support/fixtures/store.ts';
import { createTestApp } from '../support/oauth/partner.ts';
import { givePassword } from '../support/password.ts';
import { addSecondFactor } from '../support/second-factor.ts';

/*
 * Walks over the states of things. What a page offers is what the table says, and that is what its actions accept: an action that
 * is not offered changes nothing, and one that is offered does.
 */

const operator = await createTestOperator();
const other = await createTestOperator();
const olga = await new Browser().signIn(operator.userId);
const reason = 'A test';

await env.DIRECTORY.prepare(
  "insert into shards (number, region) values (0, 'local'), (1, 'local') on conflict do nothing",
).run();

const run = (sql: string, ...values: unknown[]) =>
  env.DIRECTORY.prepare(sql)
    .bind(...values)
    .run();

/** The lines of the audit. */
const countLines = () =>
  env.DIRECTORY.prepare('select count(*) as count from audit').first<number>('count');

/** The actions that the page of a record offers, by the last part of their paths. */
const offeredOn = async (path: string) =>
  Array.from(
    (await olga.get(path)).html.matchAll(
      new RegExp(`class="button[^"]*" href="${path}/([\\w-]+)"`, 'g'),
    ),
    ([, segment = '']) => segment,
  ).toSorted();

/** Runs an action as its page does. Says whether it was accepted and wrote a line of the audit. */
async function isDone(path: string, segment: string) {
  const before = await countLines();
  // To erase takes the name of the record, as it is its title.
  const [, typed = ''] = /<h1>\s*<bdi>(.*?)<\/bdi>/.exec((await olga.get(path)).html) ?? [];
  const fields = {
    reason,
    typed,
    email: `${crypto.randomUUID()}@user.test`,
    role: 'viewer',
    alias: `a${crypto.randomUUID().slice(0, 10)}`,
    shard: '1',
    requests_per_minute: '5000',
  };
  const { status } = await olga.submit(`${path}/${segment}`, fields);
  return status === 303 && (await countLines()) !== before;
}

interface Walk {
  kind: string;
  /** All actions of the kind. */
  all: readonly string[];
  /** What each state offers, and how a new record gets there. Returns its path and its id in the audit. */
  states: Readonly<
    Record<
      string,
      { offers: readonly string[]; make: () => Promise<{ path: string; id: number | string }> }
    >
  >;
}

async function makeUser(sql?: string, hasFactor = false) {
  const { userId } = await createTestOperator({
    isOperator: false,
    hasSecondFactor: false,
    hasPassword: true,
  });
  if (hasFactor) await addSecondFactor(userId);
  await new Browser().signIn(userId);
  if (sql) await run(sql, userId);
  return { path: `/operator/users/${userId}`, id: userId };
}

async function makeLockedUser() {
  const user = await makeUser();
  await other.api(`POST /operator/users/${user.id}/deactivate`);
  return user;
}

async function makeErasedUser() {
  const user = await makeUser();
  await other.api(`POST /operator/users/${user.id}/erasures`);
  return user;
}

async function makeStore(sql?: string) {
  const { id, userId } = await createTestStore();
  await givePassword(userId);
  if (sql) await run(sql, id);
  return { path: `/operator/stores/${id}`, id };
}

async function makeApp(state: string) {
  const { id, client_id: clientId } = await createTestApp();
  await run(`update apps set state = ? where id = ?`, state, id);
  return { path: `/operator/apps/${id}`, id: clientId };
}

const ofActiveUser = ['deactivate', 'end-sessions', 'erase', 'make-operator', 'password-reset'];
const ofStore = ['close', 'export', 'limits', 'rename'];

const walks: readonly Walk[] = [
  {
    kind: 'user',
    all: [...ofActiveUser, 'reactivate', 'remove-second-factor', 'unmake-operator'],
    states: {
      active: { offers: ofActiveUser, make: () => makeUser() },
      'active with a second factor': {
        offers: [...ofActiveUser, 'remove-second-factor'],
        make: () => makeUser(undefined, true),
      },
      invited: {
        offers: ofActiveUser,
        make: () => makeUser('delete from passwords where user_id = ?'),
      },
      operator: {
        offers: ['deactivate', 'end-sessions', 'erase', 'password-reset', 'unmake-operator'],
        make: () => makeUser('update users set super_user = 1 where id = ?', true),
      },
      'locked out': {
        offers: ['erase', 'reactivate'],
        make: makeLockedUser,
      },
      erased: { offers: [], make: makeErasedUser },
    },
  },
  {
    kind: 'store',
    // To erase one takes more than its state: thirty days, or a second operator.
    all: [...ofStore, 'deactivate', 'invite', 'move', 'reactivate', 'reopen'],
    states: {
      active: { offers: [...ofStore, 'deactivate', 'invite', 'move'], make: () => makeStore() },
      deactivated: {
        offers: [...ofStore, 'invite', 'move', 'reactivate'],
        make: () =>
          makeStore("update stores set active = 0, locked_at = 1, lock_reason = 'x' where id = ?"),
      },
      'closed by an operator': {
        offers: ['deactivate', 'export', 'invite', 'limits', 'move', 'rename', 'reopen'],
        make: () =>
          makeStore(
            `update stores set active = 0, closed_at = 1, closed_by = 'operator', erase_at = 9e12 where id = ?`,
          ),
      },
      erased: {
        offers: [],
        make: () =>
          makeStore(
            "update stores set active = 0, erased_at = 1, name = '', alias = 'erased-' || id where id = ?",
          ),
      },
    },
  },
  {
    kind: 'app',
    all: ['disable', 'enable'],
    states: {
      draft: { offers: ['disable'], make: () => makeApp('draft') },
      published: { offers: ['disable'], make: () => makeApp('published') },
      disabled: { offers: ['enable'], make: () => makeApp('disabled') },
    },
  },
];

describe.each(walks)('the page of a $kind, for operators', ({ kind, all, states }) => {
  it.each(Object.entries(states))(
    'offers and accepts in the state %s what it may do',
    async (_name, { offers, make }) => {
      const { path } = await make();
      const offered = await offeredOn(path);
      expect(offered.filter((segment) => segment !== 'erase' || kind === 'user')).toEqual(
        offers.toSorted(),
      );
      const done = [];
      for (const segment of all) {
        const fresh = await make();
        if (await isDone(fresh.path, segment)) done.push(segment);
      }
      expect(done.toSorted()).toEqual(offers.toSorted());
    },
  );
});

it('erases a user only if their name is typed', async () => {
  const { path } = await makeUser();
  for (const typed of ['', 'test operator']) {
    expect((await olga.submit(`${path}/erase`, { reason, typed })).status).toBe(422);
  }
  expect((await olga.get(path)).text).not.toContain('Erased');
  expect(await isDone(path, 'erase')).toBe(true);
});

it('calls an erased user erased, also in the list and its filter, and refuses to let them in again (409 user_erased)', async () => {
  const { id, path } = await makeErasedUser();
  const { text } = await olga.get(path);
  expect(text).toContain('Erased');
  expect(text).not.toContain('Locked out');
  const listed = (await other.api('GET /operator/users?state=erased')).body.data;
  expect(listed.map((user: { id: number }) => user.id)).toContain(id);
  for (const action of [
    'reactivate',
    'make-operator',
    'password-resets',
    'second-factor/removals',
  ]) {
    const { status, body } = await other.api(`POST ${path}/${action}`);
    expect([action, status, body.code]).toEqual([action, 409, 'user_erased']);
  }
});
