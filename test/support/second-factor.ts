import { env } from 'cloudflare:workers';
import { Secret, TOTP } from 'otpauth';
import { switchSecondFactorOn } from '../../src/accounts/sign-in/switch.ts';
import { makeTotpSecret } from '../../src/accounts/sign-in/totp.ts';
import { actionOf } from './action.ts';

/**
 * Milliseconds of a time step: a code is good in its own step, and in the ones before and after.
 */
export const timeStep = 30_000;

/** The code that an authenticator app shows at a time. */
export const codeOf = (secret: string, at = Date.now()) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: at });

/**
 * Gives a user a second factor; only the session with `idHash` stays. Codes from the present one on
 * are still unused.
 */
export async function addSecondFactor(userId: number, idHash = '') {
  const secret = makeTotpSecret();
  const before = Date.now() - 2 * timeStep;
  const result = await switchSecondFactorOn(actionOf(userId, before), {
    userId,
    secret,
    code: codeOf(secret, before),
    idHash,
  });
  if (typeof result === 'string') throw new Error(result);
  return { secret, recoveryCodes: result.codes };
}

/** Lets all sessions of a user have shown a code of the second factor at a time. */
export const showCode = (userId: number, at = Date.now()) =>
  env.DIRECTORY.prepare('update sessions set proved_at = ?1, factor_at = ?1 where user_id = ?2')
    .bind(at, userId)
    .run();
