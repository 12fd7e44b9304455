import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConflictError } from '../../../src/base/errors.ts';
import {
  retryInTurns,
  retryOnConflict,
  takeTurns,
  waitForTurn,
} from '../../../src/data/core/retry-contention.ts';
import { products } from '../../../src/data/schema/store/catalog-tables.ts';
import { openStoreDb } from '../../support/fixtures/store-db.ts';
import type { TestStore } from '../../support/fixtures/store.ts';

const db = openStoreDb({ id: 1, alias: 'turns', shard: 0 } as TestStore);
const writers = Array.from({ length: 20 }, (_, writer) => writer);
const roundTrip = () => new Promise((resolve) => setTimeout(resolve, 5));

/** A record with an optimistic lock, and what its writers do: read, decide, write. */
function contestedRecord() {
  const log = { revision: 0, order: [] as number[], attempts: [] as number[] };
  const work = (writer: number) => async (attempt: number) => {
    const read = log.revision;
    await roundTrip();
    await roundTrip();
    if (log.revision !== read) throw new ConflictError();
    log.revision += 1;
    log.order.push(writer);
    log.attempts.push(attempt);
  };
  return { log, work };
}

/** Lets all timers pass until the work has ended, and returns how long it took. */
async function durationOf(work: Promise<unknown>): Promise<number> {
  const startedAt = Date.now();
  let endedAt: number | undefined;
  const end = () => void (endedAt = Date.now());
  work.then(end, end);
  while (endedAt === undefined) await vi.advanceTimersByTimeAsync(100);
  await work;
  return endedAt - startedAt;
}

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'Date'] }));
afterEach(() => void vi.useRealTimers());

describe('takeTurns', () => {
  it('lets writers of a record write once each, in the order in which they came', async () => {
    const { log, work } = contestedRecord();
    await durationOf(
      Promise.all(writers.map((writer) => takeTurns(db, [products, 1], work(writer)))),
    );
    expect(log.order).toEqual(writers);
    expect(new Set(log.attempts)).toEqual(new Set([1]));
  });

  it('lets writers of different records not wait for each other', async () => {
    const ms = await durationOf(
      Promise.all(writers.map((writer) => takeTurns(db, [products, writer], roundTrip))),
    );
    expect(ms).toBeLessThan(50);
  });

  it('lets writers wait in the line of another record, which they found to be theirs', async () => {
    const { log, work } = contestedRecord();
    const change = (writer: number) =>
      takeTurns(db, [products, 100 + writer], async (attempt, contest) => {
        contest(products, 1);
        await work(writer)(attempt);
      });
    await durationOf(Promise.all(writers.map(change)));
    expect(log.revision).toBe(writers.length);
    expect(Math.max(...log.attempts)).toBe(2);
  });

  it('passes a writer whose request ended in its turn after two seconds', async () => {
    const { log, work } = contestedRecord();
    // It never leaves the line, as when the runtime drops a request.
    await waitForTurn('1/products/1', Date.now() + 10_000);
    const ms = await durationOf(takeTurns(db, [products, 1], work(0)));
    expect(log.order).toEqual([0]);
    expect(ms).toBeGreaterThan(2_000);
    expect(ms).toBeLessThan(2_300);
  });
});

describe('retryInTurns', () => {
  it('lets writers that are not in conflict run at the same time, and others try twice', async () => {
    const ms = await durationOf(
      Promise.all(writers.map(() => retryInTurns(db, [products, 1], roundTrip))),
    );
    expect(ms).toBeLessThan(50);
    const { log, work } = contestedRecord();
    await durationOf(
      Promise.all(writers.map((writer) => retryInTurns(db, [products, 1], work(writer)))),
    );
    expect(log.revision).toBe(writers.length);
    expect(Math.max(...log.attempts)).toBe(2);
  });
});

describe('retryOnConflict', () => {
  it('lets writers of other isolates succeed within ten seconds', async () => {
    const { log, work } = contestedRecord();
    await durationOf(Promise.all(writers.map((writer) => retryOnConflict(work(writer)))));
    expect(log.revision).toBe(writers.length);
  });

  it('throws the conflict after ten seconds, and any other error at once', async () => {
    const startedAt = Date.now();
    const lost = durationOf(retryOnConflict(() => Promise.reject(new ConflictError())));
    await expect(lost).rejects.toThrow(ConflictError);
    expect(Date.now() - startedAt).toBeGreaterThanOrEqual(10_000);
    const broken = vi.fn(() => Promise.reject(new TypeError('broken')));
    await expect(takeTurns(db, [products, 1], broken)).rejects.toThrow('broken');
    expect(broken).toHaveBeenCalledTimes(1);
  });
});
