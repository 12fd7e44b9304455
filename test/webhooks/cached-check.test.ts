import { createMessageBatch } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { settingsOf } from '../../src/base/settings.ts';
import { TtlCache } from '../../src/base/ttl-cache.ts';
import { DeliveryState } from '../../src/data/schema/store/webhooks-tables.ts';
import { createCachedHostCheck } from '../../src/webhooks/check-url.ts';
import { handleWakeups } from '../../src/webhooks/wakeup-handler.ts';
import { dnsResolver } from '../support/fakes/network.ts';
import { withoutOverdueEndpoints, insertEndpoint } from '../support/webhooks/consumer.ts';

const hour = 3_600_000;
const start = Date.UTC(2026, 0, 1);

/** Creates a check with its own clock, resolver and host. */
function createCheck() {
  const host = `h${crypto.randomUUID()}.example`;
  const settings = {
    ...settingsOf(env),
    allowLocalReceivers: false,
    resolverUrl: 'https://resolver.example/',
  };
  const world = { now: start, addresses: ['1.1.1.1'] as string[] | 'down', requests: 0 };
  const deps = {
    now: () => world.now,
    fetch: (url: string, init: RequestInit) => {
      world.requests += 1;
      if (world.addresses === 'down') return Promise.reject(new Error('Network connection lost.'));
      return Promise.resolve(dnsResolver({ [host]: world.addresses })(new Request(url, init)));
    },
  };
  /** Returns the check of an isolate with an empty cache. */
  const isolate = () => {
    const check = createCachedHostCheck(env, settings, deps, new TtlCache(3_600_000, 100));
    return () => check(0, `https://${host}/hooks`);
  };
  return { world, isolate };
}

describe('createCachedHostCheck', () => {
  it('asks the resolver once an hour for all isolates', async () => {
    const { world, isolate } = createCheck();
    const check = isolate();
    expect([await check(), await check(), await isolate()()]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(world.requests).toBe(2);
    world.now += hour + 1;
    expect(await check()).toBeUndefined();
    expect(world.requests).toBe(4);
  });

  it('fault 63: blocks a name that becomes private with the next check', async () => {
    const { world, isolate } = createCheck();
    const check = isolate();
    expect(await check()).toBeUndefined();
    world.addresses = ['1.1.1.1', '169.254.169.254'];
    world.now += hour / 2;
    expect(await check()).toBeUndefined();
    world.now += hour;
    expect([await check(), await isolate()()]).toEqual(['blocked_url', 'blocked_url']);
    world.addresses = ['1.1.1.1'];
    world.now += hour + 1;
    expect(await check()).toBeUndefined();
  });

  it('fault 64: reuses a check that passed for a day while the resolver is down', async () => {
    const { world, isolate } = createCheck();
    expect(await isolate()()).toBeUndefined();
    world.addresses = 'down';
    world.now = start + 23 * hour;
    expect(await isolate()()).toBeUndefined();
    world.now = start + 24 * hour;
    expect(await isolate()()).toBe('dns');
  });

  it('blocks unchecked and rejected hosts while the resolver is down', async () => {
    const { world, isolate } = createCheck();
    world.addresses = 'down';
    expect(await isolate()()).toBe('dns');
    world.addresses = ['10.0.0.1'];
    expect(await isolate()()).toBe('blocked_url');
    world.addresses = 'down';
    world.now += 2 * hour;
    expect(await isolate()()).toBe('blocked_url');
  });
});

describe('handleWakeups', () => {
  it('sends nothing to a name with a private address, and logs it as blocked', async () => {
    const host = `h${crypto.randomUUID()}.example`;
    const target = await insertEndpoint({ url: `https://${host}/hooks` });
    const requestedHosts: string[] = [];
    const fetch = (url: string, init: RequestInit) => {
      requestedHosts.push(new URL(url).host);
      return Promise.resolve(
        dnsResolver({ [host]: ['1.1.1.1', '10.0.0.1'] })(new Request(url, init)),
      );
    };
    const world = {
      ...env,
      STORE_0: withoutOverdueEndpoints(),
      RESOLVER_URL: 'https://resolver.example/',
    } as unknown as Env;
    const wakeup = { v: 1, shard: 0, endpoint: target.id };
    const message = { id: '1', timestamp: new Date(start), attempts: 1, body: wakeup };
    const batch = createMessageBatch('webhook-fast-0', [message]);
    await handleWakeups(batch, world, { fetch, now: () => start, random: () => 0 });
    // The run may also deliver for overdue endpoints of other tests.
    expect(requestedHosts).toContain('resolver.example');
    expect(requestedHosts).not.toContain(host);
    expect(await target.attempts()).toMatchObject([
      { error: 'blocked_url', response_status: null },
    ]);
    expect(await target.deliveries()).toMatchObject([{ state: DeliveryState.open, attempts: 1 }]);
  });
});
