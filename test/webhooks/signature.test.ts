import { describe, expect, it } from 'vitest';
import { fromBase64 } from '../../src/base/crypto/base64.ts';
import {
  signRequest,
  importSigningKey,
  createSecret,
  createSignatureHeaders,
} from '../../src/webhooks/signature.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('createSignatureHeaders', () => {
  const published = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: 1_614_265_330_999,
    body: utf8('{"test": 2432232314}'),
  };

  // The last value is the published vector of the Standard Webhooks libraries;
  // `openssl dgst -sha256 -hmac` created the first one and confirmed the other.
  it('matches known test vectors', async () => {
    const headers = await createSignatureHeaders(
      'Service',
      { primary: await importSigningKey(published) },
      message,
    );
    expect(headers).toEqual({
      'X-Service-Hmac-SHA256': 'gOyKic480iEzoQZsrstNBP6nRnZXyFFNcX7ELDilyUw=',
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it.each(['Next', 'Previous'] as const)(
    'signs with both secrets when the second is %s',
    async (suffix) => {
      const other = createSecret();
      const signWith = async (secret: string) =>
        Object.values(
          await createSignatureHeaders(
            'Service',
            { primary: await importSigningKey(secret) },
            message,
          ),
        );
      const [own, , , standard] = await signWith(published);
      const [otherOwn, , , otherStandard] = await signWith(other);
      const headers = await createSignatureHeaders(
        'Service',
        {
          primary: await importSigningKey(published),
          second: { secret: await importSigningKey(other), suffix },
        },
        message,
      );
      expect(headers).toMatchObject({
        'X-Service-Hmac-SHA256': own,
        [`X-Service-Hmac-SHA256-${suffix}`]: otherOwn,
        // The new one first in both cases.
        'webhook-signature':
          suffix === 'Next' ? `${otherStandard} ${standard}` : `${standard} ${otherStandard}`,
      });
    },
  );

  it('createSecret encodes 32 random bytes', () => {
    const secret = createSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(fromBase64(secret.slice(6))).toHaveLength(32);
    expect(createSecret()).not.toBe(secret);
  });

  it('fault 70: signRequest names event, delivery, attempt and epoch in the headers, and signs the bytes to send', async () => {
    const body = '{"event":"order.paid","merchant":{"id":1,"alias":"loja"},"resource":{"a":"é"}}';
    const { headers, bytes } = await signRequest({
      serviceName: 'Acme',
      secrets: { primary: await importSigningKey(createSecret()) },
      endpoint: 7,
      epoch: 2,
      seq: 31,
      eventId: 'evt_1',
      event: 'order.paid',
      changed: 'name,skus.price_sale',
      apiVersion: '2.0',
      attempt: 3,
      triggeredAt: Date.UTC(2026, 0, 2),
      at: Date.UTC(2026, 0, 3),
      body,
    });
    expect(new TextDecoder().decode(bytes)).toBe(body);
    expect(headers).toMatchObject({
      'Content-Type': 'application/json',
      'User-Agent': 'Acme-Webhooks/2.0',
      'X-Acme-Topic': 'order.paid',
      'X-Acme-Shop-Domain': 'loja',
      'X-Acme-API-Version': '2.0',
      'X-Acme-Webhook-Id': 'evt_1',
      'X-Acme-Event-Id': 'evt_1',
      'X-Acme-Delivery-Id': '7-31',
      'X-Acme-Sequence': '2.31',
      'X-Acme-Attempt': '3',
      'X-Acme-Changed': 'name,skus.price_sale',
      'X-Acme-Triggered-At': '2026-01-02T00:00:00.000Z',
      'webhook-id': 'evt_1',
      'webhook-timestamp': `${Date.UTC(2026, 0, 3) / 1000}`,
    });
    expect(headers['X-Acme-Hmac-SHA256']).toMatch(/^.{43}=$/);
  });
});
