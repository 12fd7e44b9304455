import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { openShard } from '../../src/db/open.ts';
import { StoreDb } from '../../src/db/store.ts';
import { publish } from '../../src/events/publish.ts';
import { InvalidBody } from '../../src/problem.ts';
import { defaultZone } from '../../src/wire/zone.ts';
import { subscribe } from '../support/events.ts';
import { consumer } from '../support/lanes.ts';
import { logOf } from '../support/log.ts';
import { store } from '../support/store.ts';

describe('fault 59: an event', () => {
  it.each([
    ['129 KB', 129_000],
    ['1.9 MB', 1_900_000],
  ])('of %s is delivered', async (_name, size) => {
    const { endpoint, record } = await shop();
    await record('x'.repeat(size));
    let received = 0;
    const run = consumer(async (request) => {
      received = (await request.arrayBuffer()).byteLength;
      return new Response();
    });
    run.clock.now = Date.now();
    await run.drain(endpoint);
    expect(received).toBeGreaterThan(size);
    expect(await logOf(endpoint)).toMatchObject([{ state: 1 }]);
  });

  it.each([
    ['2.1 MB', 'x'.repeat(2_100_000)],
    ['2.1 MB in letters of three bytes', '\u20ac'.repeat(700_000)],
  ])('of %s is refused when it is published', async (_name, text) => {
    const { endpoint, record } = await shop();
    await expect(record(text)).rejects.toThrow(InvalidBody);
    expect(await logOf(endpoint)).toEqual([]);
  });
});

async function shop() {
  const made = await store();
  const endpoint = await subscribe(made, ['order.paid']);
  const { id, alias } = made;
  const of = { id, alias, shard: 0, zone: defaultZone, base_url: '', active: true, test: false };
  const options = { now: Date.now(), wake: () => undefined };
  const db = new StoreDb(of, openShard(env.STORE_0), options);
  const record = (text: string) => publish(db, [], [{ name: 'order.paid', resource: { text } }]);
  return { endpoint, record };
}
