import { env } from 'cloudflare:workers';
import { describe, expect, it } from 'vitest';
import { seal } from '../../src/crypto/seal.ts';
import { signingKey } from '../../src/events/signing-keys.ts';
import { signatureHeaders, newSecret } from '../../src/events/signature.ts';
import { rotationAt, signingSecrets } from '../../src/events/signing-secrets.ts';
import { expireSecrets } from '../../src/events/sweep-secrets.ts';
import { settingsOf } from '../../src/settings.ts';
import { consumer, db, lane, ok, start } from '../support/lanes.ts';
import { shiftAt } from '../support/shift.ts';

const day = 86_400_000;
const started = {
  secret_current: 'new',
  secret_previous: 'old',
  secret_previous_until: 1_000_000 + day,
  secret_mode: 1,
  secret_overlap_ms: day,
};
const ends = started.secret_previous_until;

describe('which secrets sign', () => {
  it.each([
    ['before a rotation: one', { ...started, secret_mode: 0 }, 0, { primary: 'new' }],
    [
      'during the overlap: the old one, and the new one as next',
      started,
      ends - 1,
      { primary: 'old', second: { secret: 'new', suffix: 'Next' } },
    ],
    [
      'when it has ended: the new one, and the old one as previous, without cron',
      started,
      ends,
      { primary: 'new', second: { secret: 'old', suffix: 'Previous' } },
    ],
    [
      'after an explicit commit: the same',
      { ...started, secret_mode: 2 },
      ends - 1,
      { primary: 'new', second: { secret: 'old', suffix: 'Previous' } },
    ],
    ['one overlap after the commit: the new one alone', started, ends + day, { primary: 'new' }],
    [
      'without an overlap: the new one alone',
      { ...started, secret_overlap_ms: 0 },
      ends,
      { primary: 'new' },
    ],
  ])('%s', (_name, columns, now, expected) => {
    expect(signingSecrets(columns, now)).toEqual(expected);
  });
});

describe('a rotation in the database', () => {
  async function rotating() {
    const to = await lane();
    const old = newSecret();
    const { store_id: store } = (await to.endpoint()) as { store_id: number };
    const sealed = await seal(settingsOf(env).sealingKey, old, `webhook-secret:${store}`);
    await db
      .prepare(
        `update webhook_endpoints set secret_previous = ?, secret_previous_until = ?, secret_mode = 1
         where id = ?`,
      )
      .bind(sealed, start + day, to.id)
      .run();
    return { to, old };
  }

  it('fault 52: a delivery carries what each kind of receiver verifies', async () => {
    const { to, old } = await rotating();
    const run = consumer(ok);
    await run.drain(to.id);
    const [request] = run.requests;
    const body = new Uint8Array(await request!.arrayBuffer());
    const message = { id: to.eventId(1), at: start, body };
    const [signedOld, , , listOld] = Object.values(
      await signatureHeaders('Service', { primary: await signingKey(old) }, message),
    );
    const [signedNew, , , listNew] = Object.values(
      await signatureHeaders('Service', { primary: await signingKey(to.secret) }, message),
    );
    expect(Object.fromEntries(request!.headers)).toMatchObject({
      'x-service-hmac-sha256': signedOld,
      'x-service-hmac-sha256-next': signedNew,
      'webhook-signature': `${listNew} ${listOld}`,
    });
    expect(request!.headers.has('x-service-hmac-sha256-previous')).toBe(false);
  });

  it('is committed and ended by cron at the moments that a read goes by', async () => {
    const { to } = await rotating();
    const columns = async () => (await to.endpoint()) as unknown as typeof started;
    const before = await columns();
    for (const now of [start + day - 1, start + day, start + 2 * day - 1, start + 2 * day]) {
      await expireSecrets(shiftAt(now));
      expect(await columns()).toMatchObject(rotationAt(before, now));
    }
    expect(await columns()).toMatchObject({ secret_mode: 0, secret_previous: null });
  });

  it('that ended long ago is ended in one go', async () => {
    const { to } = await rotating();
    await expireSecrets(shiftAt(start + 9 * day));
    expect(await to.endpoint()).toMatchObject({ secret_mode: 0, secret_previous: null });
  });
});
