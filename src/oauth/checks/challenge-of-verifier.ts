import { sha256 } from '../../crypto/sha256.ts';

/**
 * The challenge that a verifier answers (RFC 7636, section 4.6). One that is not 43 to 128 of the allowed
 * characters answers none, so that all failures of a verifier look alike (C7).
 */
export async function challengeOfVerifier(verifier: string): Promise<string> {
  return /^[A-Za-z0-9\-._~]{43,128}$/.test(verifier) ? sha256(verifier) : 'none';
}
