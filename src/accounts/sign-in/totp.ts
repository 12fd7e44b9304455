import { createHmac } from 'node:crypto';
import { Secret, TOTP } from 'otpauth/bare';
import { randomBytes } from '../../base/crypto/random.ts';

/** As authenticator apps expect it: RFC 6238 with SHA-1, six digits and 30 seconds. */
const periodSeconds = 30;

/** How far the clock of a phone may be off, in time steps. */
const window = 1;

const hmac = (_algorithm: string, key: Uint8Array, message: Uint8Array) =>
  new Uint8Array(createHmac('sha1', key).update(message).digest());

const totpOf = (secret: string, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...names, secret: Secret.fromBase32(secret), period: periodSeconds, hmac });

/** Creates a secret of 160 bits, in base32. */
export function makeTotpSecret(): string {
  const bytes = new Uint8Array(randomBytes(20));
  return new Secret({ buffer: bytes.buffer }).base32;
}

/** The address that an authenticator app reads from a QR code. */
export const totpUri = (secret: string, names: { issuer: string; label: string }) =>
  totpOf(secret, names).toString();

/** Returns the time step of a code, at most one away from now; `undefined` for a wrong code. */
export function findTimeStep(secret: string, code: string, now: number): number | undefined {
  const delta = totpOf(secret).validate({ token: code, timestamp: now, window });
  return delta === null ? undefined : Math.floor(now / 1000 / periodSeconds) + delta;
}
