import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { daysToFull, recordShard } from '../../../src/data/directory/shard-sizes.ts';

const directory = openDatabase(env.DIRECTORY);

const gigabyte = 1_000_000_000;

let next = 2_000;

describe('the days until a shard is full', () => {
  const day = 24 * 60 * 60 * 1000;

  /**
   * Eight hours between two records, where the sweep has one: the growth follows from the time that
   * passed.
   */
  const perDay = 3;

  /** Records sizes one after the other, and returns the last record. */
  async function grow(sizes: readonly number[]) {
    const number = (next += 1);
    await env.DIRECTORY.prepare('insert into shards (number, state) values (?, 2)')
      .bind(number)
      .run();
    let last = { bytes: 0, growth: 0 };
    for (const [index, bytes] of sizes.entries()) {
      // A database has whole bytes.
      const record = { number, bytes: Math.floor(bytes), stores: 1 };
      last = (await recordShard(directory, record, day + (index * day) / perDay)).after;
    }
    return last;
  }

  it('follow from its growth of a week, to a day in twenty', async () => {
    const sizes = Array.from(
      { length: perDay * 28 },
      (_, index) => gigabyte + (index * gigabyte) / (10 * perDay),
    );
    const found = await grow(sizes);
    const exact = (10 * gigabyte - found.bytes) / (gigabyte / 10);
    expect(daysToFull(found)).toBeGreaterThan(exact * 0.95);
    expect(daysToFull(found)).toBeLessThan(exact * 1.05);
  });

  it('are none for the first record, a size that stays, and one that shrinks', async () => {
    expect(daysToFull(await grow([5 * gigabyte]))).toBeNull();
    expect(daysToFull(await grow([gigabyte, gigabyte, gigabyte]))).toBeNull();
    expect(daysToFull(await grow([3 * gigabyte, 2 * gigabyte, gigabyte]))).toBeNull();
  });

  it('grow again after a single import, and are 0 when it is full', async () => {
    const imported = [
      0,
      gigabyte / 10,
      ...Array.from({ length: perDay * 28 }, () => gigabyte / 10),
    ];
    const days = [imported.slice(0, 2), imported].map(async (sizes) =>
      daysToFull(await grow(sizes)),
    );
    const [soon, later] = await Promise.all(days);
    expect(soon).toBeGreaterThan(45);
    expect(later).toBeGreaterThan(10 * soon!);
    expect(daysToFull({ bytes: 11 * gigabyte, growth: 1 })).toBe(0);
  });
});
