import { seal } from '../crypto/seal.ts';
import { sha256 } from '../crypto/sha256.ts';
import { lifetimes } from '../lifetimes.ts';
import { keyUnder } from './key-under.ts';
import { mintToken, type TokenFacts } from './token.ts';
import type { TokenRequest } from './token-request.ts';

/** Context of a sealed successor: binds it to the grant whose row it lies in. */
export const sealedContext = (grantId: string) => `successor:${grantId}`;

/** Makes the refresh token that would follow what was presented, and seals it under that. No I/O. */
export async function makeSuccessor(
  { settings, now }: Pick<TokenRequest, 'settings' | 'now'>,
  facts: TokenFacts,
  presented: string,
) {
  const token = await mintToken(settings.tokenKeys, 'refresh', {
    ...facts,
    generation: facts.generation + 1,
    expiresAt: now + lifetimes.refreshToken,
  });
  const [presentedHash, successorHash, sealed] = await Promise.all([
    sha256(presented),
    sha256(token),
    keyUnder(presented).then((key) => seal(key, token, sealedContext(facts.grantId))),
  ]);
  return { token, presentedHash, successorHash, sealed };
}
