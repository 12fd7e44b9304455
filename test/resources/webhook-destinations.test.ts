import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { callWith } from '../support/counted.ts';
import { endpointOf, webhookOf } from '../support/log.ts';
import { network, resolver } from '../support/network.ts';
import { store, type TestStore } from '../support/store.ts';

/** A deployment that admits no local receivers and resolves names. */
const strict = {
  ALLOW_LOCAL_RECEIVERS: 'false',
  OWN_HOSTS: 'api.shop.example, auth.shop.example',
  RESOLVER_URL: 'https://resolver.example/dns-query',
} as unknown as Partial<Env>;

const names = resolver({
  'receiver.example': ['93.184.215.14', '2606:2800:21f::1'],
  'inside.example': ['10.1.2.3'],
  'both.example': ['93.184.215.14', '192.168.0.1'],
  'mapped.example': ['::ffff:127.0.0.1'],
});

const body = (url: string) => ({ url, name: 'test', events: ['product.created'] });

const refused = [
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

/** A webhook that the strict deployment admits. */
async function admitted(shop: TestStore): Promise<number> {
  const answer = await callWith(
    shop,
    'POST /webhooks',
    body('https://receiver.example:8443/a?b=c'),
    strict,
  );
  expect(answer.status).toBe(201);
  return answer.body.data.id;
}

describe('POST /{alias}/webhooks', () => {
  it.each(refused)('422, fault 61: errors.url for %s', async (url) => {
    const shop = await store();
    using _outside = network(names);
    const { status, body: told } = await callWith(shop, 'POST /webhooks', body(url), strict);
    expect([status, Object.keys(told.errors)]).toEqual([422, ['url']]);
  });

  it('422 with the URL among all other wrong fields', async () => {
    const shop = await store();
    using _outside = network(names);
    const wrong = { url: 'https://inside.example/', name: '', events: [] };
    const { body: told } = await callWith(shop, 'POST /webhooks', wrong, strict);
    expect(Object.keys(told.errors).toSorted()).toEqual(['events', 'name', 'url']);
  });

  it('422 when the resolver is down', async () => {
    const shop = await store();
    using _outside = network(() => new Response('', { status: 502 }));
    const url = 'https://receiver.example/';
    expect((await callWith(shop, 'POST /webhooks', body(url), strict)).status).toBe(422);
  });
});

describe('PUT /{alias}/webhooks/{id}', () => {
  it.each(refused)('422 with errors.url for %s, and nothing changes', async (url) => {
    const shop = await store();
    using _outside = network(names);
    const id = await admitted(shop);
    const before = await endpointOf(id);
    const answer = await callWith(shop, `PUT /webhooks/${id}`, { url, name: 'new' }, strict);
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['url']]);
    expect(await endpointOf(id)).toEqual(before);
  });
});

describe('a stored URL that may not receive any more', () => {
  it.each<[string, string, object | undefined]>([
    ['POST', '/ping', undefined],
    ['POST', '/resume', {}],
    ['PUT', '', { active: true }],
  ])('422 with errors.url for %s %s, and nothing is sent', async (verb, path, sent) => {
    const shop = await store();
    const id = await webhookOf(shop);
    await env.STORE_0.prepare('update webhook_endpoints set status = 1 where id = ?')
      .bind(id)
      .run();
    for (const url of ['http://127.0.0.1:9/nobody', 'https://inside.example/']) {
      await env.STORE_0.batch([
        env.STORE_0.prepare('update webhook_endpoints set url = ? where id = ?').bind(url, id),
        env.STORE_0.prepare('delete from webhook_pings where store_id = ?').bind(shop.id),
      ]);
      using outside = network(names);
      const answer = await callWith(shop, `${verb} /webhooks/${id}${path}`, sent, strict);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['url']]);
      expect(outside.requests.every((one) => one.url.includes('resolver.example'))).toBe(true);
    }
    expect(await endpointOf(id)).toMatchObject({ status: 1 });
  });
});
