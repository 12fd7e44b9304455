import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import {
  ConflictError,
  DatabaseUnavailable,
  RecordChanged,
  StoreElsewhere,
  TooManyTestStores,
  ValidationError,
} from '../../../src/base/errors.ts';
import { abortUnless, type AbortCause } from '../../../src/data/core/data-errors.ts';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { rawDatabaseStatement } from '../../../src/data/core/raw.ts';
import { shards } from '../../../src/data/schema/directory/directory-tables.ts';

const directory = openDatabase(env.DIRECTORY);

/** A statement whose every run fails, with a message of D1. */
const failing = {
  bind: () => failing,
  all: () => Promise.reject(new Error('D1_ERROR: Network connection lost.')),
  raw: () => Promise.reject(new Error('D1_ERROR: Network connection lost.')),
  run: () => Promise.reject(new Error('D1_ERROR: Network connection lost.')),
};
const lost = openDatabase({
  prepare: () => failing,
  batch: () => failing.run(),
} as unknown as D1Database);

describe('a handle on a database throws the errors of the application', () => {
  it('whether a query runs alone or in a batch, by the builder or in plain SQL', async () => {
    const runs = [
      () => lost.select().from(shards),
      () => lost.delete(shards),
      () => lost.delete(shards).returning(),
      () => lost.all(sql`select 1`),
      () => lost.get(sql`select 1`),
      () => lost.run(sql`select 1`),
      () => lost.batch([lost.select().from(shards)]),
      () => lost.batch([rawDatabaseStatement(lost, sql`select 1`)]),
    ];
    for (const run of runs) {
      const error: unknown = await (async () => run())().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(DatabaseUnavailable);
      expect(error).toMatchObject({ failure: 'unknown', cause: expect.any(Error) as Error });
    }
  });

  it('a value that is taken is a ValidationError of its field', async () => {
    const row = { number: 77_101 };
    await directory.insert(shards).values(row);
    const again = await directory
      .insert(shards)
      .values(row)
      .catch((thrown: unknown) => thrown);
    await directory.delete(shards).where(sql`number = 77101`);
    expect(again).toBeInstanceOf(ValidationError);
    expect(again).toMatchObject({ errors: { number: ['Already taken.'] } });
  });

  it.each<[AbortCause, object]>([
    ['conflict', ConflictError],
    ['placement', StoreElsewhere],
    ['facts', StoreElsewhere],
    ['unchanged', RecordChanged],
    ['test_stores', TooManyTestStores],
  ])('a batch that aborts itself for %s changes nothing', async (cause, type) => {
    const row = { number: 77_102 };
    const aborted = await directory
      .batch([
        directory.insert(shards).values(row),
        rawDatabaseStatement(directory, abortUnless(sql`1 = 2`, cause)),
      ])
      .catch((thrown: unknown) => thrown);
    expect(aborted).toBeInstanceOf(type);
    expect(
      await directory
        .select()
        .from(shards)
        .where(sql`number = 77102`),
    ).toEqual([]);
    await directory.batch([rawDatabaseStatement(directory, abortUnless(sql`1 = 1`, cause))]);
  });

  it.each<[AbortCause, number]>([
    ['grant_live', 401],
    ['event_budget', 429],
    ['list_too_long', 400],
    ['answer_too_large', 400],
  ])('a batch that aborts itself for %s is a %i', async (cause, status) => {
    const batch = directory.batch([rawDatabaseStatement(directory, abortUnless(sql`null`, cause))]);
    await expect(batch).rejects.toMatchObject({ status });
  });
});
