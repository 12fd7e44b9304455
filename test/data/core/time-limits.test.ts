import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DatabaseUnavailable } from '../../../src/base/errors.ts';
import { DatabaseSession, openDatabase } from '../../../src/data/core/open-database.ts';
import { stalledDatabase } from '../../support/fakes/stalled-database.ts';
import { openTimers } from '../../support/open-timers.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** The outcome of a call, as far as it has one after some time of the fake clock. */
async function outcomeAfter(call: Promise<unknown>, ms: number) {
  let outcome: unknown = 'waits';
  call.then(
    () => (outcome = 'answered'),
    (error: unknown) => (outcome = error instanceof DatabaseUnavailable ? error.failure : error),
  );
  await vi.advanceTimersByTimeAsync(ms);
  return outcome;
}

describe('a database that does not answer', () => {
  const stalled = () => stalledDatabase(env.DIRECTORY);

  it.each([
    ['what a request reads', () => openDatabase(stalled(), 'reads'), 3_000],
    ['work without a caller', () => openDatabase(stalled()), 35_000],
  ])('is given up after the limit of %s', async (_, open, limitMs) => {
    const database = open();
    const query = database.select({ one: sql<number>`1` }).from(sql`(select 1)`);
    expect(await outcomeAfter(database.batch([query]), limitMs - 1)).toBe('waits');
    expect(await outcomeAfter(database.batch([query]), limitMs)).toBe('silent');
    expect(await outcomeAfter(Promise.resolve(query), limitMs)).toBe('silent');
  });

  it('is given up after the limit of a change', async () => {
    const limitMs = 10_000;
    const session = new DatabaseSession(stalled(), limitMs);
    const query = openDatabase(env.DIRECTORY)
      .select({ one: sql<number>`1` })
      .from(sql`(select 1)`);
    expect(await outcomeAfter(session.batch([query]), limitMs - 1)).toBe('waits');
    expect(await outcomeAfter(session.batch([query]), limitMs)).toBe('silent');
  });

  it('leaves no timer behind when it answers', async () => {
    const limits = openTimers(3_000);
    const database = openDatabase(env.DIRECTORY, 'reads');
    await database.run(sql`select 1`);
    expect([...limits]).toEqual([]);
  });

  it('is asked no second time for the same work', () => {
    const failure = new DatabaseUnavailable('silent');
    expect([failure.mayRepeat(true), failure.mayRepeat(false)]).toEqual([false, false]);
    expect([failure.status, failure.headers['Retry-After']]).toEqual([503, '2']);
  });
});
