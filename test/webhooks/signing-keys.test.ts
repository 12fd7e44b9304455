import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seal } from '../../src/base/crypto/seal.ts';
import { settingsOf } from '../../src/base/settings.ts';
import { SecretMode } from '../../src/data/schema/store/webhooks-tables.ts';
import {
  importSigningKey,
  createSignatureHeaders,
  createSecret,
} from '../../src/webhooks/signature.ts';
import { rotationAt, secretsAt } from '../../src/webhooks/signing-keys.ts';
import { expireSecrets } from '../../src/webhooks/sweep/webhook-tasks.ts';
import {
  createConsumer,
  db,
  insertEndpoint,
  respondOk,
  startTime,
} from '../support/webhooks/consumer.ts';
import { sweepContextAt } from '../support/webhooks/sweep-context.ts';

const day = 86_400_000;
const started = {
  secret_current: 'new',
  secret_previous: 'old',
  secret_previous_until: 1_000_000 + day,
  secret_mode: SecretMode.overlap,
  secret_overlap_ms: day,
};
const ends = started.secret_previous_until;

describe('secretsAt', () => {
  it.each([
    [
      'selects one secret before a rotation',
      { ...started, secret_mode: SecretMode.single },
      0,
      { primary: 'new' },
    ],
    [
      'selects the old secret, and the new one as next, during the overlap',
      started,
      ends - 1,
      { primary: 'old', second: { secret: 'new', suffix: 'Next' } },
    ],
    [
      'selects the new secret, and the old one as previous, after the overlap and without a sweep',
      started,
      ends,
      { primary: 'new', second: { secret: 'old', suffix: 'Previous' } },
    ],
    [
      'selects the same after an explicit commit',
      { ...started, secret_mode: SecretMode.committed },
      ends - 1,
      { primary: 'new', second: { secret: 'old', suffix: 'Previous' } },
    ],
    [
      'selects only the new secret one overlap after the commit',
      started,
      ends + day,
      { primary: 'new' },
    ],
    [
      'selects only the new secret without an overlap',
      { ...started, secret_overlap_ms: 0 },
      ends,
      { primary: 'new' },
    ],
  ])('%s', (_name, columns, now, expected) => {
    expect(secretsAt(columns, now)).toEqual(expected);
  });
});

describe('a rotation in the database', () => {
  async function insertRotating() {
    const target = await insertEndpoint();
    const old = createSecret();
    const { store_id: store } = (await target.endpoint()) as { store_id: number };
    const sealed = await seal(settingsOf(env).sealingKeys, old, `webhook-secret:${store}`);
    await db
      .prepare(
        `update webhook_endpoints set secret_previous = ?, secret_previous_until = ?, secret_mode = 1
         where id = ?`,
      )
      .bind(sealed, startTime + day, target.id)
      .run();
    return { target, old };
  }

  it('fault 52: signs a delivery for receivers with the old, the new or both secrets', async () => {
    const { target, old } = await insertRotating();
    const run = createConsumer(respondOk);
    await run.deliver(target.id);
    const [request] = run.requests;
    const body = new Uint8Array(await request!.arrayBuffer());
    const message = { id: target.eventId(1), at: startTime, body };
    const [signedOld, , , listOld] = Object.values(
      await createSignatureHeaders('Service', { primary: await importSigningKey(old) }, message),
    );
    const [signedNew, , , listNew] = Object.values(
      await createSignatureHeaders(
        'Service',
        { primary: await importSigningKey(target.secret) },
        message,
      ),
    );
    expect(Object.fromEntries(request!.headers)).toMatchObject({
      'x-service-hmac-sha256': signedOld,
      'x-service-hmac-sha256-next': signedNew,
      'webhook-signature': `${listNew} ${listOld}`,
    });
    expect(request!.headers.has('x-service-hmac-sha256-previous')).toBe(false);
  });

  it('is committed and ended by the sweep at the same times as by a read', async () => {
    const { target } = await insertRotating();
    const columns = async () => (await target.endpoint()) as unknown as typeof started;
    const before = await columns();
    for (const now of [
      startTime + day - 1,
      startTime + day,
      startTime + 2 * day - 1,
      startTime + 2 * day,
    ]) {
      await expireSecrets(sweepContextAt(now));
      expect(await columns()).toMatchObject(rotationAt(before, now));
    }
    expect(await columns()).toMatchObject({
      secret_mode: SecretMode.single,
      secret_previous: null,
    });
  });

  it('is ended by one sweep when it ended long ago', async () => {
    const { target } = await insertRotating();
    await expireSecrets(sweepContextAt(startTime + 9 * day));
    expect(await target.endpoint()).toMatchObject({
      secret_mode: SecretMode.single,
      secret_previous: null,
    });
  });
});
