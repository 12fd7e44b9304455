import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundle, type Bundle } from '../support/node/bundle.ts';
import { isInstalled } from '../support/node/is-installed.ts';
import { receiver, type Received, type Receiver } from '../support/node/receiver.ts';
import { migrate, startRuntime } from '../support/node/runtime.ts';
import { pair, seedStore } from '../support/node/store.ts';
import { headerVerifiers, standardVerifiers } from '../support/node/verifiers.ts';

const scratch = mkdtempSync(join(tmpdir(), 'store-api-verifiers-'));
let built: Bundle;
let runtime: Miniflare;
let inbox: Receiver;
let secret: string;

/** What has been known to change on its way through a parser. */
const names = [
  'Pão de açúcar',
  'a/b\\c "d" <e> & \'f\'',
  '😀 \u2028 \u2029 \u00e9 e\u0301',
  '\t \u007f',
  '{} [] 1e21 10.0 9007199254740993',
  'x'.repeat(10_000),
];

async function call(method: string, path: string, body?: object) {
  const answer = await fetch(`${(await runtime.ready).href}v2/bench${path}`, {
    method,
    headers: { ...pair, 'Content-Type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { data: { id: number; secret_key: string } };
}

/** Makes every event that the documented rows send, and answers with how many. */
async function walk(): Promise<number> {
  const { data: brand } = await call('POST', '/catalog/brands', { name: 'Marca', active: true });
  for (const [index, text] of names.entries()) {
    const product = {
      name: `${index} ${text}`.slice(0, 200),
      description: text,
      simple: true,
      active: true,
      brand_id: brand.id,
      skus: [
        { sku: `SKU-${index}`, price_sale: 59.9, price_cost: 10, weight: 0.0001, quantity: 5 },
      ],
    };
    const { data } = await call('POST', '/catalog/products', product);
    await call('PUT', `/catalog/products/${data.id}`, { priority: 7 });
    const { results } = await (
      await runtime.getD1Database('STORE_0')
    )
      .prepare('select id from skus where product_id = ?')
      .bind(data.id)
      .all<{ id: number }>();
    await call('PUT', `/catalog/skus/${results[0]?.id}/stocks/1`, { quantity: 9 });
    await call('DELETE', `/catalog/products/${data.id}`);
  }
  return names.length * 4;
}

beforeAll(async () => {
  built = bundle();
  runtime = await startRuntime({
    script: join(built.folder, 'index.js'),
    persist: scratch,
    bindings: { SERVICE_NAME: 'Shopify' },
  });
  await migrate(runtime);
  await seedStore(runtime);
  inbox = await receiver();
  const events = ['created', 'updated', 'deleted', 'inventory.updated'].map((e) => `product.${e}`);
  const webhook = { url: inbox.url, name: 'verifiers', events };
  secret = (await call('POST', '/webhooks', webhook)).data.secret_key;
  const count = await walk();
  while (inbox.received.length < count) await new Promise((resolve) => setTimeout(resolve, 50));
});

afterAll(async () => {
  await runtime.dispose();
  inbox.server.close();
  rmSync(scratch, { recursive: true });
  rmSync(built.folder, { recursive: true });
});

/** A delivery with some headers in place of its own. */
const withHeaders = ({ headers, body }: Received, other: Record<string, string>): Received => ({
  headers: { ...headers, ...other },
  body,
});

function flipped({ headers, body }: Received): Received {
  const changed = Buffer.from(body);
  const last = changed.length - 2;
  changed[last] = (changed[last] ?? 0) ^ 1;
  return { headers, body: changed };
}

const another = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';

describe.each(headerVerifiers)('%s', (_name, verify) => {
  it('fault 55: accepts every body of the walk', async () => {
    for (const delivery of inbox.received) expect(await verify(delivery, secret)).toBe(true);
  });

  it('fault 57: refuses a changed body or header, another secret and no signature', async () => {
    const delivery = inbox.received[0]!;
    const other = inbox.received[1]!.headers['x-shopify-hmac-sha256']!;
    for (const changed of inbox.received.slice(0, 4).map(flipped)) {
      expect(await verify(changed, secret)).toBe(false);
    }
    const forged = withHeaders(delivery, { 'x-shopify-hmac-sha256': other });
    expect(await verify(forged, secret)).toBe(false);
    const empty = withHeaders(delivery, { 'x-shopify-hmac-sha256': '' });
    expect(await verify(empty, secret)).toBe(false);
    expect(await verify(delivery, another)).toBe(false);
  });

  it('fault 58: accepts a delivery whatever its clock says', async () => {
    const late = withHeaders(inbox.received[0]!, { 'webhook-timestamp': '1' });
    expect(await verify(late, secret)).toBe(true);
  });
});

describe.each(standardVerifiers)('%s', (_name, verify) => {
  it('fault 55: accepts every body of the walk', async () => {
    for (const delivery of inbox.received) expect(await verify(delivery, secret)).toBe(true);
  });

  it('fault 57: refuses a changed body, id or signature, another secret and no signature', async () => {
    const delivery = inbox.received[0]!;
    const other = inbox.received[1]!.headers;
    for (const changed of inbox.received.slice(0, 4).map(flipped)) {
      expect(await verify(changed, secret)).toBe(false);
    }
    for (const name of ['webhook-id', 'webhook-signature']) {
      const forged = withHeaders(delivery, { [name]: other[name]! });
      expect(await verify(forged, secret)).toBe(false);
      expect(await verify(withHeaders(delivery, { [name]: '' }), secret)).toBe(false);
    }
    expect(await verify(delivery, another)).toBe(false);
  });

  it.each([-360, 360])('fault 58: refuses a delivery %i s away from its clock', async (seconds) => {
    const delivery = inbox.received[0]!;
    const moved = `${Number(delivery.headers['webhook-timestamp']) + seconds}`;
    expect(await verify(withHeaders(delivery, { 'webhook-timestamp': moved }), secret)).toBe(false);
  });
});

describe('fault 56: a receiver that parses the body and writes it again', () => {
  const again = (delivery: Received, command: string, ...rest: string[]) =>
    execFileSync(command, rest, { input: delivery.body }).equals(delivery.body);

  it('in JavaScript has the same bytes', () => {
    for (const { body } of inbox.received) {
      expect(JSON.stringify(JSON.parse(body.toString()))).toBe(body.toString());
    }
  });

  it.runIf(isInstalled('python3'))(
    'in Python has others, so that it must take the raw body',
    () => {
      const python = 'import sys,json; sys.stdout.write(json.dumps(json.load(sys.stdin)))';
      expect(inbox.received.some((delivery) => again(delivery, 'python3', '-c', python))).toBe(
        false,
      );
    },
  );

  it.runIf(isInstalled('php'))('in PHP has others, so that it must take the raw body', () => {
    const php = 'echo json_encode(json_decode(file_get_contents("php://stdin")));';
    expect(inbox.received.every((delivery) => again(delivery, 'php', '-r', php))).toBe(false);
  });
});
