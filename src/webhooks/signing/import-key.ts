import { fromBase64 } from '../../base/crypto/base64.ts';
import { sha256 } from '../../base/crypto/digest.ts';
import { importHmacKey } from '../../base/crypto/hmac.ts';

/** The beginning of every signing secret. */
export const secretPrefix = 'whsec_';

/** An imported signing secret. It cannot be read back. */
export interface SigningKey {
  /** For the specification's header: the whole text of the secret. */
  specification: CryptoKey;
  /** For Standard Webhooks: the bytes that the secret encodes. */
  standard: CryptoKey;
  /** Names the secret in the log, without revealing it. */
  id: string;
}

/** Imports a secret. Rejects for any other text. */
export async function importSigningKey(secret: string): Promise<SigningKey> {
  const [specification, standard, digest] = await Promise.all([
    importHmacKey(new TextEncoder().encode(secret)),
    importHmacKey(fromBase64(secret.slice(secretPrefix.length))),
    sha256(secret),
  ]);
  return { specification, standard, id: digest.slice(0, 8) };
}
