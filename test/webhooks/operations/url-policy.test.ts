import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';
import { callWithBindings } from '../../support/api/measure.ts';
import { mockNetwork, dnsResolver } from '../../support/fakes/network.ts';
import { createTestStore, type TestStore } from '../../support/fixtures/store.ts';
import { endpointOf, createTestWebhook } from '../../support/webhooks/delivery-log.ts';
import '../../support/fixtures/first-shard.ts';

/** Bindings of a deployment that allows no local receivers and resolves names. */
const strictBindings = {
  ALLOW_LOCAL_RECEIVERS: 'false',
  OWN_HOSTS: 'api.shop.example, auth.shop.example',
  RESOLVER_URL: 'https://resolver.example/dns-query',
} as unknown as Partial<Env>;

const resolver = dnsResolver({
  'receiver.example': ['93.184.215.14', '2606:2800:21f::1'],
  'inside.example': ['10.1.2.3'],
  'both.example': ['93.184.215.14', '192.168.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
});

const body = (url: string) => ({ url, name: 'test', events: ['product.created'] });

const rejectedUrls = [
  'http://receiver.example/',
  'ftp://receiver.example/',
  'https://user:secret@receiver.example/',
  'https://receiver.example/#part',
  'https://receiver.example:8080/',
  'https://receiver.example:22/',
  `https://receiver.example/${'a'.repeat(2_048)}`,
  'https://127.0.0.1/',
  'https://127.0.0.1./',
  'https://127.1/',
  'https://2130706433/',
  'https://0x7f000001/',
  'https://0x7f.1/',
  'https://0177.0.0.1/',
  'https://0300.0250.1/',
  'https://１２７.0.0.1/',
  'https://%31%32%37.0.0.1/',
  'https://127。0。0。1/',
  'https://8.8.8.8/',
  'https://169.254.169.254/latest/meta-data',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:7f00:1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[fd00:ec2::254]/',
  'https://[2606:4700:4700::1111]/',
  'https://localhost/',
  'https://localhost./',
  'https://LocalHost/',
  'https://a.localhost/',
  'https://intranet/',
  'https://printer.local/',
  'https://db.internal/',
  'https://metadata.google.internal/',
  'https://router.home.arpa/',
  'https://abc.onion/',
  'https://me.workers.dev/',
  'https://api.shop.example/v2',
  'https://API.SHOP.example./v2',
  'https://deep.auth.shop.example/',
  'https://inside.example/',
  'https://both.example/',
  'https://mapped.example/',
  'https://nowhere.example/',
];

/** Creates a webhook with a URL that the strict deployment allows. */
async function createAllowedWebhook(shop: TestStore): Promise<number> {
  const response = await callWithBindings(
    shop,
    'POST /webhooks',
    body('https://receiver.example:8443/a?b=c'),
    strictBindings,
  );
  expect(response.status).toBe(201);
  return response.body.data.id;
}

describe('POST /{alias}/webhooks', () => {
  it.each(rejectedUrls)('fault 61: returns 422 with errors.url for %s', async (url) => {
    const shop = await createTestStore();
    using _network = mockNetwork(resolver);
    const { status, body: response } = await callWithBindings(
      shop,
      'POST /webhooks',
      body(url),
      strictBindings,
    );
    expect([status, Object.keys(response.errors)]).toEqual([422, ['url']]);
  });

  it('returns 422 with the URL among all other invalid fields', async () => {
    const shop = await createTestStore();
    using _network = mockNetwork(resolver);
    const invalid = { url: 'https://inside.example/', name: '', events: [] };
    const { body: response } = await callWithBindings(
      shop,
      'POST /webhooks',
      invalid,
      strictBindings,
    );
    expect(Object.keys(response.errors).toSorted()).toEqual(['events', 'name', 'url']);
  });

  it('returns 422 when the resolver is down', async () => {
    const shop = await createTestStore();
    using _network = mockNetwork(() => new Response('', { status: 502 }));
    const url = 'https://receiver.example/';
    expect((await callWithBindings(shop, 'POST /webhooks', body(url), strictBindings)).status).toBe(
      422,
    );
  });
});

describe('PUT /{alias}/webhooks/{id}', () => {
  it.each(rejectedUrls)('returns 422 with errors.url for %s, and changes nothing', async (url) => {
    const shop = await createTestStore();
    using _network = mockNetwork(resolver);
    const id = await createAllowedWebhook(shop);
    const before = await endpointOf(id);
    const response = await callWithBindings(
      shop,
      `PUT /webhooks/${id}`,
      { url, name: 'new' },
      strictBindings,
    );
    expect([response.status, Object.keys(response.body.errors)]).toEqual([422, ['url']]);
    expect(await endpointOf(id)).toEqual(before);
  });
});

describe('a stored URL that is no longer allowed', () => {
  it.each<[string, string, object | undefined]>([
    ['POST', '/ping', undefined],
    ['POST', '/resume', {}],
    ['PUT', '', { active: true }],
  ])('returns 422 with errors.url for %s %s, and sends nothing', async (verb, path, sent) => {
    const shop = await createTestStore();
    const id = await createTestWebhook(shop);
    await env.STORE_0.prepare(
      `update webhook_endpoints set status = ${EndpointStatus.paused} where id = ?`,
    )
      .bind(id)
      .run();
    for (const url of ['http://127.0.0.1:9/unreachable', 'https://inside.example/']) {
      await env.STORE_0.batch([
        env.STORE_0.prepare('update webhook_endpoints set url = ? where id = ?').bind(url, id),
        env.STORE_0.prepare('delete from webhook_pings where store_id = ?').bind(shop.id),
      ]);
      using network = mockNetwork(resolver);
      const response = await callWithBindings(
        shop,
        `${verb} /webhooks/${id}${path}`,
        sent,
        strictBindings,
      );
      expect([response.status, Object.keys(response.body.errors)]).toEqual([422, ['url']]);
      expect(
        network.requests.every(({ url: requested }) => requested.includes('resolver.example')),
      ).toBe(true);
    }
    expect(await endpointOf(id)).toMatchObject({ status: EndpointStatus.paused });
  });
});
