import { describe, expect, it } from 'vitest';
import { webhooks } from '../../src/client/index.ts';
import { signRequest, importSigningKey, createSecret } from '../../src/webhooks/signature.ts';

const secret = createSecret();
const body = JSON.stringify({
  event: 'product.created',
  time: '2031-03-05 09:04:07',
  merchant: { id: 1, alias: 'demo' },
  resource: {
    id: 7,
    created_at: { date: '2031-03-05 9:04:07', timezone_type: 3, timezone: 'America/Sao_Paulo' },
  },
});

/** Signs a delivery as the service does. */
async function sign(
  options: { at?: number; primary?: string; next?: string; previous?: string } = {},
) {
  const { at = Date.now(), primary = secret, next, previous } = options;
  const other = next ?? previous;
  const { headers, bytes } = await signRequest({
    serviceName: 'Loja',
    secrets: {
      primary: await importSigningKey(primary),
      ...(other !== undefined && {
        second: {
          suffix: next === undefined ? 'Previous' : 'Next',
          secret: await importSigningKey(other),
        },
      }),
    },
    endpoint: 7,
    epoch: 1,
    seq: 42,
    eventId: 'evt_1',
    event: 'product.created',
    changed: 'name,skus.price_sale',
    apiVersion: '2.0',
    attempt: 2,
    triggeredAt: at,
    at,
    body,
  });
  return { headers, body: new TextDecoder().decode(bytes) };
}

const without = (headers: Record<string, string>, pattern: RegExp) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !pattern.test(name)));

describe('webhooks.verify', () => {
  it('returns the event of a genuine delivery, as a request or as headers and bytes', async () => {
    const { headers, body: text } = await sign();
    const expected = {
      id: 'evt_1',
      event: 'product.created',
      sequence: { epoch: 1, number: 42 },
      attempt: 2,
      changed: ['name', 'skus.price_sale'],
      merchant: { id: 1, alias: 'demo' },
      resource: { id: 7, created_at: new Date('2031-03-05T12:04:07Z') },
    };
    const request = new Request('https://app.test/hook', { method: 'POST', headers, body: text });
    expect(await webhooks.verify(request, secret)).toMatchObject(expected);
    const lists = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]),
    );
    const bytes = new TextEncoder().encode(text);
    expect(await webhooks.verify({ headers: lists, body: bytes }, secret)).toMatchObject(expected);
  });

  it.each([
    ['next', { next: createSecret() }],
    ['previous', { previous: createSecret() }],
  ])('accepts either secret during a rotation: %s', async (_name, other) => {
    const delivery = await sign(other);
    const [second] = Object.values(other);
    for (const secrets of [secret, second!, [createSecret(), second!]]) {
      expect(await webhooks.verify(delivery, secrets)).toMatchObject({ id: 'evt_1' });
    }
  });

  it('rejects what is changed, signed by another, or old', async () => {
    const genuine = await sign();
    const { headers } = genuine;
    const cases: Parameters<typeof webhooks.verify>[] = [
      [{ headers, body: `${genuine.body} ` }, secret],
      [{ headers: { ...headers, 'webhook-id': 'evt_2' }, body: genuine.body }, secret],
      [{ headers: { ...headers, 'webhook-timestamp': '' }, body: genuine.body }, secret],
      [genuine, createSecret()],
      [genuine, []],
      [genuine, 'not-a-secret'],
      [{ headers: {}, body: genuine.body }, secret],
      [{ headers, body: JSON.parse(genuine.body) as string }, secret],
      [await sign({ at: Date.now() - 301_000 }), secret],
      [await sign({ at: Date.now() + 302_000 }), secret],
      [await sign({ at: Date.now() - 31_000 }), secret, { toleranceSeconds: 30 }],
    ];
    for (const args of cases) {
      await expect(webhooks.verify(...args)).rejects.toMatchObject({
        name: 'ApiError',
        code: 'signature',
        status: 0,
      });
    }
  });

  it('accepts the header without a time only if any age is allowed', async () => {
    const { headers, body: text } = await sign({ at: 0 });
    const plain = { headers: without(headers, /^webhook-/), body: text };
    await expect(webhooks.verify(plain, secret)).rejects.toMatchObject({ code: 'signature' });
    const options = { toleranceSeconds: Number.POSITIVE_INFINITY };
    expect(await webhooks.verify(plain, secret, options)).toMatchObject({ id: 'evt_1' });
    const other = { headers: without(headers, /-Changed$/), body: text };
    expect(await webhooks.verify(other, secret, options)).toMatchObject({ changed: [] });
    await expect(webhooks.verify(plain, createSecret(), options)).rejects.toMatchObject({
      code: 'signature',
    });
  });
});
