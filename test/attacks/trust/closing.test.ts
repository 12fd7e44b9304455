import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { HttpError } from '../../../src/base/errors.ts';
import { findJob } from '../../../src/data/directory/job-queries.ts';
import { cancelJob } from '../../../src/ops/jobs/cancel-job.ts';
import { deactivateStore, reactivateStore } from '../../../src/stores/activate-store.ts';
import { ClosedByOperator, closeStore, reopenStore } from '../../../src/stores/close-store.ts';
import { confirmErasure, requestImmediateErasure } from '../../../src/stores/erase-store.ts';
import { actionOf } from '../../support/action.ts';
import { Browser } from '../../support/browser/browser.ts';
import { hiddenFieldsOf } from '../../support/browser/form-fields.ts';
import { copyStore } from '../../support/fixtures/copies.ts';
import { createTestOperator } from '../../support/fixtures/operator.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { operatorAction } from '../../support/jobs.ts';
import { kindsFor } from '../../support/slow.ts';

const reason = 'By order of a court.';

/** The outcome of a step: `done`, or the code of its refusal. */
type Answer = string;

/** A store as a test reckons it. */
interface Expected {
  closedBy: 'owner' | 'operator' | null;
  isLocked: boolean;
  /** Whose erasure waits for the day of the closing. */
  dayOf: 'owner' | 'operator' | null;
  /** How far the latest immediate erasure is. */
  order: 'none' | 'asked' | 'confirmed' | 'cancelled';
}

/** Two operators; the second one confirms. */
const people = [await createTestOperator(), await createTestOperator()] as const;

const asOperator = (index: 0 | 1 = 0) => ({
  ...operatorAction(),
  actor: { kind: 'operator', id: '1', name: 'Olga', userId: people[index].userId } as const,
});

/** The latest immediate erasure of a store. */
async function latestOrder({ id }: TestStore) {
  const jobId = await env.DIRECTORY.prepare(
    "select max(id) as id from jobs where store_id = ? and kind = 'immediate_erasure'",
  )
    .bind(id)
    .first<number>('id');
  return jobId ?? 0;
}

interface Step {
  run: (store: TestStore) => Promise<unknown>;
  /** The rules, in the words of the specification and not of the code. */
  expected: (before: Expected) => Expected & { answer?: Answer };
}

const steps: Readonly<Record<string, Step>> = {
  'owner closes': {
    run: ({ id, userId }) => closeStore(actionOf(userId), { storeId: id, reason: 'Sold.' }),
    expected: (before) =>
      before.closedBy === null ? { ...before, closedBy: 'owner', dayOf: 'owner' } : before,
  },
  'operator closes': {
    run: ({ id }) => closeStore(operatorAction(), { storeId: id, reason }),
    expected: (before) =>
      before.closedBy === 'operator'
        ? before
        : { ...before, closedBy: 'operator', dayOf: 'operator' },
  },
  'operator locks': {
    run: ({ id }) => deactivateStore(operatorAction(), { storeId: id, reason }),
    expected: (before) => ({ ...before, isLocked: true }),
  },
  'operator unlocks': {
    run: ({ id }) => reactivateStore(operatorAction(), { storeId: id }),
    expected: (before) => ({ ...before, isLocked: false }),
  },
  'owner reopens': {
    run: ({ id, userId }) => reopenStore(actionOf(userId), { storeId: id }),
    expected: (before) =>
      before.closedBy === 'operator'
        ? { ...before, answer: 'closed by operator' }
        : { ...before, closedBy: null, dayOf: null },
  },
  'operator reopens': {
    run: ({ id }) => reopenStore(operatorAction(), { storeId: id }),
    expected: (before) =>
      before.closedBy === null
        ? before
        : {
            ...before,
            closedBy: null,
            dayOf: null,
            order: before.order === 'none' ? 'none' : 'cancelled',
          },
  },
  'operator orders the erasure': {
    run: ({ id }) => requestImmediateErasure(asOperator(), { storeId: id, reason }),
    expected: (before) => (before.order === 'confirmed' ? before : { ...before, order: 'asked' }),
  },
  'another operator confirms': {
    run: async (store) =>
      confirmErasure(asOperator(1), { storeId: store.id, jobId: await latestOrder(store), reason }),
    expected(before) {
      if (before.order === 'none') return { ...before, answer: 'not_found' };
      if (before.order === 'cancelled') return { ...before, answer: 'nothing_to_confirm' };
      return { ...before, closedBy: 'operator', order: 'confirmed' };
    },
  },
  'operator cancels the erasure': {
    async run(store) {
      const job = await findJob(operatorAction().directory, await latestOrder(store));
      return job && cancelJob(operatorAction(), job);
    },
    expected: (before) => (before.order === 'none' ? before : { ...before, order: 'cancelled' }),
  },
};

const names = Object.keys(steps);
const pairs = names.flatMap((first) => names.map((second) => `${first}, ${second}`));
const stepOf = (name: string) => steps[name] as Step;
const initial: Expected = { closedBy: null, isLocked: false, dayOf: null, order: 'none' };

const attempt = (run: Promise<unknown>): Promise<Answer> =>
  run.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof ClosedByOperator) return 'closed by operator';
      return error instanceof HttpError ? error.code : Promise.reject(error);
    },
  );

/** The states in the database: also that no erasure waits but the one of who closed the store. */
async function statesOf(stores: readonly TestStore[]) {
  const { results } = await env.DIRECTORY.prepare(
    `select id, active, closed_by as closedBy, locked_at is not null as isLocked, erase_at is not null as isErased,
       (select iif(finished_at is null, iif(confirmed_at is null, 'asked', 'confirmed'), state) from jobs
         where store_id = s.id and kind = 'immediate_erasure' order by id desc limit 1) as lastOrder,
       (select group_concat(by_operator) from jobs where store_id = s.id and kind = 'store_erasure'
         and finished_at is null) as erasures
     from stores s where id in (select value from json_each(?))`,
  )
    .bind(JSON.stringify(stores.map(({ id }) => id)))
    .all<{ id: number } & ReturnType<typeof rowOf>>();
  const states = new Map(results.map(({ id, ...state }) => [id, state]));
  return stores.map(({ id }) => states.get(id));
}

const stateOf = async (store: TestStore) => (await statesOf([store]))[0];

const rowOf = ({ closedBy, isLocked, dayOf, order }: Expected) => ({
  active: Number(closedBy === null && !isLocked),
  closedBy,
  isLocked: Number(isLocked),
  isErased: Number(dayOf !== null || order === 'confirmed'),
  lastOrder: order === 'none' ? null : order,
  erasures: dayOf === null ? null : String(Number(dayOf === 'operator')),
});

/** A store after the steps that were walked, as it is reckoned. */
interface Walk {
  store: TestStore;
  walked: readonly string[];
  expected: Expected;
}

/** A new store, whose copies walk. */
const begin: Walk = { store: await createTestStore(), walked: [], expected: initial };

// Work that waits for the copies is not for the sweeps of other tests, nor their mails for the
// tests of mails.
afterAll(async () => {
  const { userId } = begin.store;
  const copies = '(select id from stores where owner_id = ?)';
  await env.DIRECTORY.batch(
    [
      `delete from jobs where store_id in ${copies}`,
      `delete from store_changes where store_id in ${copies}`,
      'delete from mails where user_id = ?',
    ].map((statement) => env.DIRECTORY.prepare(statement).bind(userId)),
  );
});

/**
 * Copies of a walk, each of which goes one of these steps further: as reckoned, else the test
 * fails.
 */
async function expectSteps(from: Walk, next: readonly string[]): Promise<Walk[]> {
  const stores = await copyStore(from.store, next.length);
  const walks: Walk[] = [];
  for (const [index, name] of next.entries()) {
    const store = stores[index]!;
    const walked = [...from.walked, name];
    const { answer = 'done', ...expected } = stepOf(name).expected(from.expected);
    expect(await attempt(stepOf(name).run(store)), walked.join(', ')).toBe(answer);
    walks.push({ store, walked, expected });
  }
  const states = await statesOf(stores);
  for (const [index, { walked, expected }] of walks.entries()) {
    expect(states[index], walked.join(', ')).toEqual(rowOf(expected));
  }
  return walks;
}

describe('closing, locking and reopening a store', () => {
  it('attack: follows the rules in every order of three steps, and after each of them', async () => {
    for (const first of await expectSteps(begin, names)) {
      for (const second of await expectSteps(first, names)) {
        await expectSteps(second, kindsFor(second.walked.join(', '), pairs, names));
      }
    }
  });

  it('attack: ends as if one of two had come first, for every two at once from every state', async () => {
    const ways = [
      [],
      ['operator locks'],
      ['owner closes'],
      ['operator closes'],
      ['owner closes', 'operator locks'],
      ['operator closes', 'operator locks'],
      ['operator orders the erasure'],
      ['operator orders the erasure', 'another operator confirms'],
      ['owner closes', 'operator orders the erasure', 'another operator confirms'],
    ];
    const couples = names.flatMap((one, index) =>
      names.slice(index).map((other) => [one, other] as const),
    );
    for (const way of ways) {
      let from = begin;
      for (const name of way) [from = begin] = await expectSteps(from, [name]);
      const own = couples.filter((couple) => kindsFor(couple, couples, ways).includes(way));
      const stores = await copyStore(from.store, own.length);
      const answers: Answer[][] = [];
      for (const [index, couple] of own.entries()) {
        const runs = couple.map((name) => attempt(stepOf(name).run(stores[index]!)));
        answers.push(await Promise.all(runs));
      }
      const states = await statesOf(stores);
      for (const [index, [one, other]] of own.entries()) {
        const orders = [
          [one, other],
          [other, one],
        ].map(([first = '', second = '']) => {
          const { answer: a = 'done', ...between } = stepOf(first).expected(from.expected);
          const { answer: b = 'done', ...after } = stepOf(second).expected(between);
          const both = first === one ? [a, b] : [b, a];
          return { answers: both, row: rowOf(after) };
        });
        const title = `${way.join(', ')}: ${one} with ${other}`;
        expect(orders, title).toContainEqual({ answers: answers[index], row: states[index] });
      }
    }
  });
});

describe('the pages of a store that the service closed or locked', () => {
  let operator: Awaited<ReturnType<typeof createTestOperator>>;

  beforeAll(async () => {
    operator = await createTestOperator();
  });

  const act = async (store: TestStore, action: string) =>
    (await operator.api(`POST /operator/stores/${store.id}/${action}`, { reason })).body.data;

  it('attack: say that the service closed it, offer no way back, and refuse a forged form with 409', async () => {
    const store = await createTestStore();
    const owner = await new Browser().signIn(store.userId);
    const page = `/account/stores/${store.alias}`;
    await closeStore(actionOf(store.userId), { storeId: store.id, reason: 'Sold.' });
    // The form is loaded while the owner may still send it.
    const fields = hiddenFieldsOf(await owner.get(`${page}/reopen`), `${page}/reopen`);
    expect(await act(store, 'close')).toMatchObject({ state: 'closed', closed_by: 'operator' });
    const shown = await owner.get(page);
    expect(shown.text).toContain('The service closed this store.');
    expect(shown.text).toContain(`Reason: ${reason}`);
    expect(shown.html).not.toContain(`${page}/reopen`);
    expect((await owner.get('/account')).text).toContain('The service closed this store.');
    const forged = await owner.post(`${page}/reopen`, fields);
    expect([forged.status, forged.text]).toEqual([
      409,
      expect.stringContaining('Only the service can open it again.'),
    ]);
    expect((await owner.get(`${page}/reopen`)).status).toBe(409);
    expect(await stateOf(store)).toMatchObject({ active: 0, closedBy: 'operator' });
  });

  it('attack: keep a store locked that its owner closed before and opens now', async () => {
    const store = await createTestStore();
    const owner = await new Browser().signIn(store.userId);
    const page = `/account/stores/${store.alias}`;
    await owner.submit(`${page}/close`, { alias: store.alias });
    expect(await act(store, 'deactivate')).toMatchObject({
      state: 'closed',
      lock_reason: reason,
      closed_by: 'owner',
    });
    expect((await owner.get(page)).text).toContain(
      'The service has deactivated this store as well.',
    );
    expect((await owner.submit(`${page}/reopen`)).status).toBe(303);
    expect((await store.api('GET /catalog/brands')).status).toBe(403);
    const shown = await owner.get(page);
    expect(shown.text).toContain('Deactivated');
    expect(shown.html).not.toContain(`${page}/reopen`);
    expect((await owner.get(`${page}/reopen`)).status).toBe(404);
    expect(await act(store, 'reactivate')).toMatchObject({ state: 'active', locked_at: null });
  });

  it('let an operator lock a closed store, and open what the owner closed, by their pages', async () => {
    const store = await createTestStore();
    await closeStore(actionOf(store.userId), { storeId: store.id, reason: 'Sold.' });
    const olga = await new Browser().signIn(operator.userId);
    const page = `/operator/stores/${store.id}`;
    expect((await olga.get(page)).text).toContain('Closed by Owner of the store');
    expect((await olga.submit(`${page}/deactivate`, { reason })).status).toBe(303);
    expect((await olga.get(page)).text).toContain('Deactivated since');
    expect((await olga.submit(`${page}/reopen`, { reason })).status).toBe(303);
    expect(await stateOf(store)).toMatchObject({ closedBy: null, isLocked: 1, active: 0 });
    const html = (await olga.get(page)).html;
    expect(html).toContain(`href="${page}/reactivate"`);
    expect(html).not.toContain(`href="${page}/reopen"`);
  });
});
