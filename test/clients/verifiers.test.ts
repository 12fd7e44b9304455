import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isInstalled } from '../support/node/receivers/is-installed.ts';
import {
  startReceiver,
  type DeliveryRequest,
  type WebhookReceiver,
} from '../support/node/receivers/receiver.ts';
import { startService, type RunningService } from '../support/node/runtime/service.ts';
import { headerVerifiers, standardVerifiers } from './verifiers.ts';

let service: RunningService;
let inbox: WebhookReceiver;
let secret: string;

/** Texts that JSON parsers and serializers tend to change. */
const texts = [
  'Pão de açúcar',
  'a/b\\c "d" <e> & \'f\'',
  '😀 \u2028 \u2029 \u00e9 e\u0301',
  '\t \u007f',
  '{} [] 1e21 10.0 9007199254740993',
  'x'.repeat(10_000),
];

async function call(request: string, body?: object): Promise<{ id: number; secret_key: string }> {
  return (await service.api(request, body)).body?.data;
}

/** Publishes created, updated, deleted and inventory events for each text. Returns their number. */
async function publishEvents(): Promise<number> {
  const brand = await call('POST /catalog/brands', { name: 'Marca', active: true });
  for (const [index, text] of texts.entries()) {
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
    const { id } = await call('POST /catalog/products', product);
    await call(`PUT /catalog/products/${id}`, { priority: 7 });
    const { results } = await (
      await service.runtime.getD1Database('STORE_0')
    )
      .prepare('select id from skus where product_id = ?')
      .bind(id)
      .all<{ id: number }>();
    await call(`PUT /catalog/skus/${results[0]?.id}/stocks/1`, { quantity: 9 });
    await call(`DELETE /catalog/products/${id}`);
  }
  return texts.length * 4;
}

beforeAll(async () => {
  [service, inbox] = await Promise.all([
    startService({ bindings: { SERVICE_NAME: 'Shopify' } }),
    startReceiver(),
  ]);
  const events = ['created', 'updated', 'deleted', 'inventory.updated'].map((e) => `product.${e}`);
  const webhook = { url: inbox.url, name: 'verifiers', events };
  secret = (await call('POST /webhooks', webhook)).secret_key;
  const count = await publishEvents();
  while (inbox.received.length < count) await new Promise((resolve) => setTimeout(resolve, 50));
});

afterAll(async () => {
  await service.stop();
  inbox.server.close();
});

/** Returns a delivery with some headers replaced. */
const withHeaders = (
  { headers, body }: DeliveryRequest,
  replaced: Record<string, string>,
): DeliveryRequest => ({
  headers: { ...headers, ...replaced },
  body,
});

/** Returns a delivery with one bit of its body flipped. */
function flipBit({ headers, body }: DeliveryRequest): DeliveryRequest {
  const changed = Buffer.from(body);
  const last = changed.length - 2;
  changed[last] = (changed[last] ?? 0) ^ 1;
  return { headers, body: changed };
}

const otherSecret = 'whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=';

/**
 * One delivery with each text, for verifiers that start a process for each. Its bytes are the
 * point, not its event.
 */
const oneOfEachText = () =>
  texts.map((text, index) => {
    const isOfText = new RegExp(`^{"event":"product.created".*"name":"${index}\\b`);
    const found = inbox.received.find(({ body }) => isOfText.test(body.toString()));
    if (!found) throw new Error(`no delivery has the text ${text}`);
    return found;
  });

describe.each(headerVerifiers)('%s', (_name, verify, isProcess) => {
  it('fault 55: accepts every delivery', async () => {
    const deliveries = isProcess ? oneOfEachText() : inbox.received;
    for (const delivery of deliveries) expect(await verify(delivery, secret)).toBe(true);
  });

  it('fault 57: rejects a changed body or header, another secret and an empty signature', async () => {
    const delivery = inbox.received[0]!;
    const other = inbox.received[1]!.headers['x-shopify-hmac-sha256']!;
    for (const changed of inbox.received.slice(0, isProcess ? 1 : 4).map(flipBit)) {
      expect(await verify(changed, secret)).toBe(false);
    }
    const forged = withHeaders(delivery, { 'x-shopify-hmac-sha256': other });
    expect(await verify(forged, secret)).toBe(false);
    const empty = withHeaders(delivery, { 'x-shopify-hmac-sha256': '' });
    expect(await verify(empty, secret)).toBe(false);
    expect(await verify(delivery, otherSecret)).toBe(false);
  });

  it('fault 58: accepts a delivery with any timestamp', async () => {
    const late = withHeaders(inbox.received[0]!, { 'webhook-timestamp': '1' });
    expect(await verify(late, secret)).toBe(true);
  });
});

describe.each(standardVerifiers)('%s', (_name, verify) => {
  it('fault 55: accepts every delivery', async () => {
    for (const delivery of inbox.received) expect(await verify(delivery, secret)).toBe(true);
  });

  it('fault 57: rejects a changed body, id or signature, another secret and an empty header', async () => {
    const delivery = inbox.received[0]!;
    const other = inbox.received[1]!.headers;
    for (const changed of inbox.received.slice(0, 4).map(flipBit)) {
      expect(await verify(changed, secret)).toBe(false);
    }
    for (const name of ['webhook-id', 'webhook-signature']) {
      const forged = withHeaders(delivery, { [name]: other[name]! });
      expect(await verify(forged, secret)).toBe(false);
      expect(await verify(withHeaders(delivery, { [name]: '' }), secret)).toBe(false);
    }
    expect(await verify(delivery, otherSecret)).toBe(false);
  });

  it.each([-360, 360])('fault 58: rejects a timestamp that is %i s off', async (seconds) => {
    const delivery = inbox.received[0]!;
    const moved = `${Number(delivery.headers['webhook-timestamp']) + seconds}`;
    expect(await verify(withHeaders(delivery, { 'webhook-timestamp': moved }), secret)).toBe(false);
  });
});

describe('fault 56: a receiver that parses the body and serializes it again', () => {
  const bodies = () => inbox.received.map(({ body }) => body.toString());
  /**
   * The bodies, which have no line breaks, as one run of a program that reads and writes lines
   * serializes them.
   */
  const serializedBy = (command: string, ...rest: string[]) =>
    execFileSync(command, rest, { input: bodies().join('\n') })
      .toString()
      .split('\n')
      .slice(0, -1);

  it('gets the same bytes in JavaScript', () => {
    for (const { body } of inbox.received) {
      expect(JSON.stringify(JSON.parse(body.toString()))).toBe(body.toString());
    }
  });

  it.runIf(isInstalled('python3'))(
    'gets other bytes in Python, so it must verify the raw body',
    () => {
      const python =
        'import sys,json\nfor line in sys.stdin.buffer: print(json.dumps(json.loads(line)))';
      const changed = serializedBy('python3', '-S', '-c', python);
      expect(changed).toHaveLength(bodies().length);
      for (const [index, body] of bodies().entries()) expect(changed[index]).not.toBe(body);
    },
  );

  it.runIf(isInstalled('php'))('gets other bytes in PHP, so it must verify the raw body', () => {
    const php =
      'while (($line = fgets(STDIN)) !== false) echo json_encode(json_decode($line)), "\\n";';
    const changed = serializedBy('php', '-r', php);
    expect(changed).toHaveLength(bodies().length);
    expect(changed).not.toEqual(bodies());
  });
});
