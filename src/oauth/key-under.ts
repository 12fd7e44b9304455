import { fromBase64 } from '../crypto/base64.ts';
import { aesKey } from '../crypto/seal.ts';
import { sha256 } from '../crypto/sha256.ts';

/** A key that only the holder of a token can make: what is sealed under it opens for nobody else, us included. */
export const keyUnder = async (token: string) =>
  aesKey(fromBase64(await sha256(`seal/v1${token}`)));
