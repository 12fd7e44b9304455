import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { describe, expect, it, vi } from 'vitest';
import { databaseFailures, findDatabaseFailure } from '../../../src/data/core/data-errors.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { rawDatabaseStatement } from '../../../src/data/core/raw.ts';
import { retryTransient } from '../../../src/data/core/retry-contention.ts';
import { callWithBindings } from '../../support/api/measure.ts';
import { failingDatabase } from '../../support/fakes/failing-database.ts';
import '../../support/fixtures/first-shard.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { stopClock } from '../../support/stop-clock.ts';

/**
 * The errors of Cloudflare's page "Debug D1", as they are printed there, and what each must lead
 * to. These are the calls of a read, of a write and of work that recognises its own commit, if
 * every call fails.
 */
const documented: readonly [message: string, calls: [read: number, write: number, own: number]][] =
  [
    ['D1 DB reset because its code was updated.', [2, 1, 3]],
    ['Internal error while starting up D1 DB storage caused object to be reset.', [2, 2, 3]],
    ['Network connection lost.', [2, 1, 3]],
    ['Internal error in D1 DB storage caused object to be reset.', [2, 1, 3]],
    ['Cannot resolve D1 DB due to transient issue on remote node.', [2, 2, 3]],
    ["Can't read from request stream because client disconnected.", [2, 2, 3]],
    ['internal error; reference = 0123456789abcdef', [2, 1, 3]],
    ['D1 DB is overloaded. Requests queued for too long.', [1, 1, 1]],
    ['D1 DB is overloaded. Too many requests queued.', [1, 1, 1]],
    ['D1 DB storage operation exceeded timeout which caused object to be reset.', [1, 1, 1]],
    ["D1 DB's isolate exceeded its memory limit and was reset.", [1, 1, 1]],
    ['D1 DB exceeded its CPU time limit and was reset.', [1, 1, 1]],
    ['Exceeded maximum DB size.', [1, 1, 1]],
    ['Exceeded maximum account storage limit.', [1, 1, 1]],
    [
      "Your account has exceeded D1's maximum account storage limit, please contact Cloudflare to raise your limit.",
      [1, 1, 1],
    ],
    ['database or disk is full: SQLITE_FULL', [1, 1, 1]],
  ];

const brand = { name: 'x', active: true };

/** Messages that are about a statement: mistakes of ours, which no repetition mends. */
const mistakes = [
  'No SQL statements detected.',
  'D1_EXEC_ERROR: Error in line 1: SELEC 1: near "SELEC": syntax error',
  "D1_TYPE_ERROR: Type 'undefined' not supported for value 'undefined'",
  'D1_COLUMN_NOTFOUND: Column not found (name)',
  'no such column: nam at offset 7: SQLITE_ERROR',
  'too many SQL variables at offset 0: SQLITE_ERROR',
];

describe('a failure of a database', () => {
  it.each(documented)('%s: returns 503 after as many calls as are safe', async (message, calls) => {
    const shop = await createTestStore();
    const answers = [];
    for (const [request, body] of [
      ['GET /catalog/brands', undefined],
      ['POST /catalog/brands', brand],
    ] as const) {
      const { database: binding, calls: made } = failingDatabase(env.STORE_0, message);
      const answer = await callWithBindings(shop, request, body, { STORE_0: binding });
      const retryAfter = answer.headers.get('Retry-After');
      answers.push([answer.status, answer.body.code, retryAfter, made.count]);
    }
    const failure = findDatabaseFailure(message);
    const code = failure === 'full' ? 'storage_full' : 'unavailable';
    const retryAfter = failure === 'full' ? '60' : '2';
    const [read, write, own] = calls;
    expect(answers).toEqual([
      [503, code, retryAfter, read],
      [503, code, retryAfter, write],
    ]);
    const { database: binding, calls: made } = failingDatabase(env.STORE_0, message);
    const database = openDatabase(binding);
    const work = () => database.batch([rawDatabaseStatement(database, sql`select 1`)]);
    await expect(retryTransient(work)).rejects.toMatchObject({ status: 503 });
    expect(made.count).toBe(own);
  });

  it.each(mistakes)('%s: returns 500, and is not repeated', async (message) => {
    const shop = await createTestStore();
    const { database: binding, calls } = failingDatabase(env.STORE_0, message);
    const answer = await callWithBindings(shop, 'GET /catalog/brands', undefined, {
      STORE_0: binding,
    });
    expect([answer.status, calls.count]).toEqual([500, 1]);
  });

  it('has a row for every message of the table', () => {
    const unused = databaseFailures.filter(
      ([text]) => !documented.some(([message]) => message.includes(text)),
    );
    expect(unused).toEqual([]);
  });

  it('does not reach the client if a read succeeds the second time', async () => {
    const shop = await createTestStore();
    const { database: binding, calls } = failingDatabase(
      env.STORE_0,
      'Network connection lost.',
      1,
    );
    const answer = await callWithBindings(shop, 'GET /catalog/brands', undefined, {
      STORE_0: binding,
    });
    expect([answer.status, calls.count]).toEqual([200, 2]);
  });

  it('applies one change if the write succeeds the second time', async () => {
    const shop = await createTestStore();
    const { database: binding, calls } = failingDatabase(
      env.STORE_0,
      'Cannot resolve D1 DB due to transient issue',
      1,
    );
    const bindings = { STORE_0: binding };
    const answer = await callWithBindings(shop, 'POST /catalog/brands', brand, bindings);
    expect([answer.status, calls.count]).toEqual([201, 2]);
    const list = await shop.api('GET /catalog/brands');
    expect(list.body.meta.pagination.total).toBe(1);
  });

  it('alerts once with the operation if the database is full', async () => {
    const shop = await createTestStore();
    const error = vi.spyOn(console, 'error').mockReturnValue();
    const { database: binding } = failingDatabase(env.STORE_0, 'Exceeded maximum DB size.');
    const answer = await callWithBindings(shop, 'GET /catalog/brands', undefined, {
      STORE_0: binding,
    });
    const lines = error.mock.calls.map(([line]) => JSON.parse(String(line)));
    error.mockRestore();
    expect(lines).toEqual([
      {
        level: 'error',
        event: 'database_full',
        alert: true,
        request_id: answer.headers.get('X-Request-Id'),
        operation: 'listBrands',
        store: shop.id,
      },
    ]);
  });
});

describe('a statement that resets its database', () => {
  stopClock();

  const message = 'D1 DB exceeded its CPU time limit and was reset.';

  /**
   * Lets an hour pass, so that no reset before counts. Returns how to reset the database below
   * requests of stores.
   */
  async function prepare() {
    vi.setSystemTime(Date.now() + 3_600_000);
    const [heavy, innocent] = [await createTestStore(), await createTestStore()];
    const { database: STORE_0 } = failingDatabase(env.STORE_0, message);
    const fail = async (store: TestStore, request = 'GET /catalog/brands') => {
      const error = vi.spyOn(console, 'error').mockReturnValue();
      const { status, headers } = await callWithBindings(store, request, undefined, { STORE_0 });
      const lines = error.mock.calls.map(([line]) => JSON.parse(String(line)));
      error.mockRestore();
      return [status, headers.get('Retry-After'), lines.map(({ event }) => event), lines] as const;
    };
    const pass = (ms: number) => void vi.setSystemTime(Date.now() + ms);
    return { heavy, innocent, fail, pass };
  }

  it('is named, and its caller waits for a minute, only once it has failed alone before', async () => {
    const { heavy, fail, pass } = await prepare();
    expect((await fail(heavy)).slice(0, 3)).toEqual([503, '2', ['database_reset']]);
    pass(1_000);
    // Another request of the same operation that waited there.
    expect((await fail(heavy)).slice(0, 3)).toEqual([503, '2', []]);
    pass(60_000);
    const [status, retryAfter, events, lines] = await fail(heavy);
    expect([status, retryAfter, events]).toEqual([503, '60', ['database_too_heavy']]);
    expect(lines).toMatchObject([{ alert: true, operation: 'listBrands', store: heavy.id }]);
  });

  it('does not make a store a suspect whose requests fail with it, now or before', async () => {
    const { heavy, innocent, fail, pass } = await prepare();
    await fail(heavy);
    await fail(innocent);
    pass(60_000);
    // Two operations failed before, so neither is the cause alone.
    expect((await fail(innocent)).slice(0, 3)).toEqual([503, '2', ['database_reset']]);
    expect((await fail(heavy)).slice(0, 3)).toEqual([503, '2', []]);
    pass(60_000);
    expect((await fail(innocent, 'GET /catalog/flags'))[1]).toBe('2');
    pass(60_000);
    expect((await fail(heavy))[1]).toBe('2');
    pass(60_000);
    expect((await fail(heavy))[1]).toBe('60');
    expect((await fail(innocent))[1]).toBe('2');
  });

  it('is forgotten after ten minutes', async () => {
    const { heavy, fail, pass } = await prepare();
    await fail(heavy);
    pass(600_000);
    expect((await fail(heavy))[1]).toBe('2');
  });
});
