import { fromBase64, toBase64url } from '../../base/crypto/base64.ts';
import { sha256 } from '../../base/crypto/digest.ts';
import { computeMac, verifyMac } from '../../base/crypto/hmac.ts';
import { currentMacKey, macKeysWithId, type KeyRing } from '../../base/crypto/keys.ts';
import { randomBytes } from '../../base/crypto/random.ts';
import { importAesKey, seal } from '../../base/crypto/seal.ts';

/** The claims of an authorization code or refresh token; the MAC covers all of them. */
export interface TokenClaims {
  /** 16 bytes as base64url. */
  grantId: string;
  /** 0 for a code, n for the n-th refresh token of the grant. */
  generation: number;
  /** Epoch milliseconds; a token keeps whole seconds. */
  expiresAt: number;
  /** Number of the database that holds the grant. */
  shard: number;
}

const kinds = {
  code: { type: 1, prefix: 'oac_' },
  refresh: { type: 2, prefix: 'ort_' },
} as const;

type TokenKind = keyof typeof kinds;

// Layout: type (1 byte), key id (1), grant (16), generation (4), expiry (4), shard (2), secret
// (32), tag (18). The length is a multiple of three, so each token has exactly one base64url
// spelling.
const grantOffset = 2;
const generationOffset = 18;
const expiryOffset = 22;
const shardOffset = 26;
const secretOffset = 28;
const tagOffset = 60;
const tagLength = 18;

const keyLabel = 'token/v1';
const encodedPattern = /^[A-Za-z0-9_-]{104}$/;

/**
 * Creates a new code or refresh token: recognisable by its prefix, unguessable by its 32 random
 * bytes.
 */
export async function mintToken(
  tokenKeys: KeyRing,
  kind: TokenKind,
  { grantId, generation, expiresAt, shard }: TokenClaims,
): Promise<string> {
  const { id, key } = await currentMacKey(tokenKeys, keyLabel);
  const bytes = new Uint8Array(tagOffset + tagLength);
  const view = new DataView(bytes.buffer);
  bytes.set([kinds[kind].type, id]);
  bytes.set(fromBase64(grantId), grantOffset);
  view.setUint32(generationOffset, generation);
  view.setUint32(expiryOffset, Math.floor(expiresAt / 1000));
  view.setUint16(shardOffset, shard);
  bytes.set(randomBytes(tagOffset - secretOffset), secretOffset);
  bytes.set(await computeMac(key, bytes.subarray(0, tagOffset), tagLength), tagOffset);
  return kinds[kind].prefix + toBase64url(bytes);
}

/** Returns the claims of a token of this kind that we issued, else `undefined`. Does no I/O. */
export async function readToken(
  tokenKeys: KeyRing,
  kind: TokenKind,
  text: string,
): Promise<TokenClaims | undefined> {
  const { type, prefix } = kinds[kind];
  const encoded = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !encodedPattern.test(encoded)) return undefined;
  const bytes = fromBase64(encoded);
  if (bytes[0] !== type) return undefined;
  const [signed, tag] = [bytes.subarray(0, tagOffset), bytes.subarray(tagOffset)];
  for (const key of await macKeysWithId(tokenKeys, keyLabel, bytes[1] ?? 0)) {
    if (await verifyMac(key, signed, tag)) return decodeClaims(bytes);
  }
  return undefined;
}

function decodeClaims(bytes: Uint8Array): TokenClaims {
  const view = new DataView(bytes.buffer);
  return {
    grantId: toBase64url(bytes.subarray(grantOffset, generationOffset)),
    generation: view.getUint32(generationOffset),
    expiresAt: view.getUint32(expiryOffset) * 1000,
    shard: view.getUint16(shardOffset),
  };
}

/**
 * The refresh token that would follow a presented token. Only the rotation decides whether it is
 * issued.
 */
interface SuccessorCandidate {
  token: string;
  presentedHash: string;
  successorHash: string;
  /** The candidate, encrypted under the presented token. */
  encryptedSuccessor: string;
}

/**
 * Creates the refresh token that follows a presented token, and encrypts it under that token. Does
 * no I/O.
 */
export async function createSuccessor(
  tokenKeys: KeyRing,
  claims: TokenClaims,
  presented: string,
  expiresAt: number,
): Promise<SuccessorCandidate> {
  const token = await mintToken(tokenKeys, 'refresh', {
    ...claims,
    generation: claims.generation + 1,
    expiresAt,
  });
  const [presentedHash, successorHash, encryptedSuccessor] = await Promise.all([
    sha256(presented),
    sha256(token),
    keyFromToken(presented).then((key) => seal(key, token, successorContext(claims.grantId))),
  ]);
  return { token, presentedHash, successorHash, encryptedSuccessor };
}

/** Binds an encrypted successor to the grant whose row holds it. */
export const successorContext = (grantId: string) => `successor:${grantId}`;

/**
 * Derives a key that only the holder of a token can derive; without the token, this server cannot
 * either.
 */
export const keyFromToken = async (token: string) =>
  importAesKey(fromBase64(await sha256(`seal/v1${token}`)));
