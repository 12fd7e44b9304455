import type { SteppedGrant } from '../../db/grants/advance.ts';
import type { TokenRefusalReason } from '../refusals.ts';

interface Presented {
  clientId: string;
  now: number;
  /** What the code itself says, for when its grant has been cleared away. */
  expiresAt: number;
}

type Check = [reason: TokenRefusalReason, applies: (grant: SteppedGrant, by: Presented) => boolean];

/** C4 to C8, in this order: a foreign client learns nothing of the code, a thief without verifier little. */
const checks: readonly Check[] = [
  ['client is wrong', (grant, { clientId }) => grant.client_id !== clientId],
  ['code is expired', (grant, { now }) => now >= grant.code_expires_at],
  ['code is spent', (grant) => grant.generation > 0 || grant.revoked_at !== null],
  ['verifier is wrong', (grant) => grant.isVerified === 0],
  ['redirect_uri is wrong', (grant) => grant.isSameRedirect === 0],
];

/** Why a code that did not move its chain gets no tokens. */
export function whyCodeIsRefused(
  grant: SteppedGrant | undefined,
  by: Presented,
): TokenRefusalReason {
  if (!grant) return by.now >= by.expiresAt ? 'code is expired' : 'code is spent';
  return checks.find(([, applies]) => applies(grant, by))?.[0] ?? 'code is spent';
}
