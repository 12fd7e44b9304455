import { createMessageBatch } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { judgeAtSend } from '../../src/events/destination-at-send.ts';
import { consumeHints } from '../../src/events/hints-consumer.ts';
import { settingsOf } from '../../src/settings.ts';
import { hintedLanesOnly, lane } from '../support/lanes.ts';
import { resolver } from '../support/network.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 1);

/** A judge with a clock and a resolver of its own, for a host that nobody else knows. */
function court() {
  const host = `h${crypto.randomUUID()}.example`;
  const settings = {
    ...settingsOf(env),
    allowLocalReceivers: false,
    resolverUrl: 'https://resolver.example/',
  };
  const world = { now: start, addresses: ['1.1.1.1'] as string[] | 'down', asked: 0 };
  const ports = {
    now: () => world.now,
    fetch: (url: string, init: RequestInit) => {
      world.asked += 1;
      if (world.addresses === 'down') return Promise.reject(new Error('Network connection lost.'));
      return Promise.resolve(resolver({ [host]: world.addresses })(new Request(url, init)));
    },
  };
  /** As an isolate that knows nothing yet. */
  const isolate = () => {
    const judge = judgeAtSend(env, settings, ports, new Map());
    return () => judge(0, `https://${host}/hooks`);
  };
  return { world, isolate };
}

describe('judgeAtSend', () => {
  it('asks the resolver once an hour, whichever isolate asks', async () => {
    const { world, isolate } = court();
    const judge = isolate();
    expect([await judge(), await judge(), await isolate()()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(world.asked).toBe(2);
    world.now += hour + 1;
    expect(await judge()).toBeUndefined();
    expect(world.asked).toBe(4);
  });

  it('fault 63: blocks a name that turns private, with the next verdict', async () => {
    const { world, isolate } = court();
    const judge = isolate();
    expect(await judge()).toBeUndefined();
    world.addresses = ['1.1.1.1', '169.254.169.254'];
    world.now += hour / 2;
    expect(await judge()).toBeUndefined();
    world.now += hour;
    expect([await judge(), await isolate()()]).toEqual(['blocked_url', 'blocked_url']);
    world.addresses = ['1.1.1.1'];
    world.now += hour + 1;
    expect(await judge()).toBeUndefined();
  });

  it('fault 64: goes on for a day on the last good verdict while the resolver is down, then no longer', async () => {
    const { world, isolate } = court();
    expect(await isolate()()).toBeUndefined();
    world.addresses = 'down';
    world.now = start + 23 * hour;
    expect(await isolate()()).toBeUndefined();
    world.now = start + 24 * hour;
    expect(await isolate()()).toBe('dns');
  });

  it('sends nowhere that was never judged, and nowhere that was refused, while it is down', async () => {
    const { world, isolate } = court();
    world.addresses = 'down';
    expect(await isolate()()).toBe('dns');
    world.addresses = ['10.0.0.1'];
    expect(await isolate()()).toBe('blocked_url');
    world.addresses = 'down';
    world.now += 2 * hour;
    expect(await isolate()()).toBe('blocked_url');
  });
});

describe('the consumer of hints', () => {
  it('sends nothing to a name that resolves to a private address, and logs it as blocked', async () => {
    const host = `h${crypto.randomUUID()}.example`;
    const to = await lane({ url: `https://${host}/hooks` });
    const asked: string[] = [];
    const fetch = (url: string, init: RequestInit) => {
      asked.push(new URL(url).host);
      return Promise.resolve(resolver({ [host]: ['1.1.1.1', '10.0.0.1'] })(new Request(url, init)));
    };
    const world = {
      ...env,
      STORE_0: hintedLanesOnly(),
      RESOLVER_URL: 'https://resolver.example/',
    } as unknown as Env;
    const hint = { v: 1, shard: 0, endpoint: to.id };
    const message = { id: '1', timestamp: new Date(start), attempts: 1, body: hint };
    const batch = createMessageBatch('webhook-fast-0', [message]);
    await consumeHints(batch, world, { fetch, now: () => start, random: () => 0 });
    // A run with time to spare sends for overdue lanes of other tests too.
    expect(asked).toContain('resolver.example');
    expect(asked).not.toContain(host);
    expect(await to.attempts()).toMatchObject([{ error: 'blocked_url', code: null }]);
    expect(await to.deliveries()).toMatchObject([{ state: 0, attempts: 1 }]);
  });
});
