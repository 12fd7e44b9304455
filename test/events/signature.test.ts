import { describe, expect, it } from 'vitest';
import { fromBase64 } from '../../src/crypto/base64.ts';
import { signedRequest } from '../../src/events/send-headers.ts';
import { signingKey } from '../../src/events/signing-keys.ts';
import { newSecret, signatureHeaders } from '../../src/events/signature.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);

describe('signature', () => {
  const published = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const message = {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: 1_614_265_330_999,
    body: utf8('{"test": 2432232314}'),
  };

  // The last value is the published vector of the Standard Webhooks libraries; `openssl dgst -sha256 -hmac`
  // made the first one and confirmed the other.
  it('matches known vectors', async () => {
    const headers = await signatureHeaders(
      'Service',
      { primary: await signingKey(published) },
      message,
    );
    expect(headers).toEqual({
      'X-Service-Hmac-SHA256': 'gOyKic480iEzoQZsrstNBP6nRnZXyFFNcX7ELDilyUw=',
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it.each(['Next', 'Previous'] as const)('carries both secrets while one is %s', async (suffix) => {
    const other = newSecret();
    const alone = async (secret: string) =>
      Object.values(
        await signatureHeaders('Service', { primary: await signingKey(secret) }, message),
      );
    const [own, , , standard] = await alone(published);
    const [otherOwn, , , otherStandard] = await alone(other);
    const headers = await signatureHeaders(
      'Service',
      { primary: await signingKey(published), second: { secret: await signingKey(other), suffix } },
      message,
    );
    expect(headers).toMatchObject({
      'X-Service-Hmac-SHA256': own,
      [`X-Service-Hmac-SHA256-${suffix}`]: otherOwn,
      // The new one first, whichever of the two it is.
      'webhook-signature':
        suffix === 'Next' ? `${otherStandard} ${standard}` : `${standard} ${otherStandard}`,
    });
  });

  it('makes secrets of 32 random bytes', () => {
    const secret = newSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(fromBase64(secret.slice(6))).toHaveLength(32);
    expect(newSecret()).not.toBe(secret);
  });

  it('tells who, what and which try in the headers, fault 70: and the epoch, over the bytes that are sent', async () => {
    const body = '{"event":"order.paid","merchant":{"id":1,"alias":"loja"},"resource":{"a":"é"}}';
    const { headers, bytes } = await signedRequest({
      serviceName: 'Acme',
      secrets: { primary: await signingKey(newSecret()) },
      endpoint: 7,
      epoch: 2,
      seq: 31,
      eventId: 'evt_1',
      event: 'order.paid',
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
      'X-Acme-Triggered-At': '2026-01-02T00:00:00.000Z',
      'webhook-id': 'evt_1',
      'webhook-timestamp': `${Date.UTC(2026, 0, 3) / 1000}`,
    });
    expect(headers['X-Acme-Hmac-SHA256']).toMatch(/^.{43}=$/);
  });
});
