import { env } from 'cloudflare:workers';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../../src/data/core/open-database.ts';
import { chooseShard } from '../../../src/data/directory/choose-shard.ts';
import { recordShard } from '../../../src/data/directory/shard-sizes.ts';
import { ShardState } from '../../../src/data/schema/directory/directory-tables.ts';

const directory = openDatabase(env.DIRECTORY);

const gigabyte = 1_000_000_000;

const setAll = (from: number, to: number) =>
  env.DIRECTORY.prepare('update shards set state = ? where state = ?').bind(to, from).run();

beforeAll(() => setAll(ShardState.open, -1));
beforeEach(() => env.DIRECTORY.prepare('delete from shards where number > 900000').run());
afterAll(async () => {
  await env.DIRECTORY.prepare('delete from shards where number > 900000').run();
  await setAll(-1, ShardState.open);
});

/** Adds shards with their bytes, and returns their numbers. No other one is open. */
async function addShards(...bytes: number[]): Promise<number[]> {
  const numbers = bytes.map((_, index) => 900_001 + index);
  const insert = env.DIRECTORY.prepare('insert into shards (number, bytes) values (?, ?)');
  await env.DIRECTORY.batch(bytes.map((size, index) => insert.bind(numbers[index], size)));
  return numbers;
}

/** The shards that many new stores get, whatever is drawn. */
async function placements() {
  const placed = new Set<number | undefined>();
  for (let index = 0; index < 20; index += 1) placed.add(await chooseShard(directory));
  return placed;
}

describe('the shard of a new store', () => {
  it('is the emptier of two', async () => {
    const numbers = await addShards(2 * gigabyte, gigabyte);
    expect(await placements()).toEqual(new Set([numbers[1]]));
  });

  it('is drawn, so the fullest of three gets none and the others get some', async () => {
    const numbers = await addShards(1, 2, 3);
    const draws = [0, 0, 0.5, 0, 0.99, 0.99];
    const random = () => draws.shift() ?? 0;
    const placed = [
      await chooseShard(directory, random),
      await chooseShard(directory, random),
      await chooseShard(directory, random),
    ];
    expect(placed).toEqual([numbers[0], numbers[0], numbers[1]]);
  });

  it('is open and below 3 GB', async () => {
    const numbers = await addShards(3 * gigabyte, 3 * gigabyte - 1);
    expect(await placements()).toEqual(new Set([numbers[1]]));
    await env.DIRECTORY.prepare('update shards set state = ? where number = ?')
      .bind(ShardState.closed, numbers[1])
      .run();
    expect(await placements()).toEqual(new Set([undefined]));
  });

  it('is the calmer of two, as much as the emptier', async () => {
    const numbers = await addShards(gigabyte, 0);
    const setLoad = (number: number, load: number) =>
      env.DIRECTORY.prepare('update shards set load = ? where number = ?').bind(load, number).run();
    await setLoad(numbers[1]!, 100);
    expect(await placements()).toEqual(new Set([numbers[1]]));
    await setLoad(numbers[1]!, 200);
    expect(await placements()).toEqual(new Set([numbers[0]]));
    await setLoad(numbers[1]!, 900);
    await setLoad(numbers[0]!, 399);
    expect(await placements()).toEqual(new Set([numbers[0]]));
    // All are busy: the less busy one.
    await setLoad(numbers[0]!, 901);
    expect(await placements()).toEqual(new Set([numbers[1]]));
  });

  it('is not a dedicated one', async () => {
    const numbers = await addShards(0, 1);
    await env.DIRECTORY.prepare('update shards set state = ? where number = ?')
      .bind(ShardState.dedicated, numbers[0])
      .run();
    expect(await placements()).toEqual(new Set([numbers[1]]));
  });

  it('is not one that reached 7 GB, even when it shrinks', async () => {
    const numbers = await addShards(0);
    const number = numbers[0]!;
    await recordShard(
      openDatabase(env.DIRECTORY),
      { number, bytes: 7 * gigabyte - 1, stores: 1 },
      1,
    );
    await recordShard(openDatabase(env.DIRECTORY), { number, bytes: gigabyte, stores: 1 }, 2);
    expect(await chooseShard(directory)).toBe(number);
    await recordShard(openDatabase(env.DIRECTORY), { number, bytes: 7 * gigabyte, stores: 1 }, 3);
    await recordShard(openDatabase(env.DIRECTORY), { number, bytes: gigabyte, stores: 1 }, 4);
    expect(await chooseShard(directory)).toBeUndefined();
    const row = await env.DIRECTORY.prepare('select * from shards where number = ?')
      .bind(number)
      .first();
    expect(row).toMatchObject({ state: ShardState.closed, seen_at: 4, stores: 1 });
  });
});
