import { fromBase64, toBase64url } from '../crypto/base64.ts';
import { signingKey, verifyingKeys, type KeyRing } from '../crypto/key-ring.ts';
import { isMacOf, mac } from '../crypto/mac.ts';
import { randomBytes } from '../crypto/random.ts';

/** What an authorization code or refresh token says of itself; all of it is under its MAC. */
export interface TokenFacts {
  /** 16 bytes as base64url. */
  grantId: string;
  /** 0 for a code, n for the n-th refresh token of the grant. */
  generation: number;
  /** Epoch milliseconds, of which whole seconds are kept. */
  expiresAt: number;
  /** Number of the database that holds the grant. */
  shard: number;
}

export type TokenKind = keyof typeof kinds;

const kinds = {
  code: { type: 1, prefix: 'oac_' },
  refresh: { type: 2, prefix: 'ort_' },
} as const;

// type 1, key 1, grant 16, generation 4, expiry 4, shard 2, secret 32, tag 18: a multiple of three, so that
// base64url has exactly one spelling of it.
const grantAt = 2;
const generationAt = 18;
const expiryAt = 22;
const shardAt = 26;
const secretAt = 28;
const tagAt = 60;
const tagLength = 18;

const label = 'token/v1';
const pattern = /^[A-Za-z0-9_-]{104}$/;

/** A new code or refresh token: recognisable by its prefix, unguessable by its 32 random bytes. */
export async function mintToken(
  ring: KeyRing,
  kind: TokenKind,
  { grantId, generation, expiresAt, shard }: TokenFacts,
): Promise<string> {
  const { id, key } = await signingKey(ring, label);
  const bytes = new Uint8Array(tagAt + tagLength);
  const view = new DataView(bytes.buffer);
  bytes.set([kinds[kind].type, id]);
  bytes.set(fromBase64(grantId), grantAt);
  view.setUint32(generationAt, generation);
  view.setUint32(expiryAt, Math.floor(expiresAt / 1000));
  view.setUint16(shardAt, shard);
  bytes.set(randomBytes(tagAt - secretAt), secretAt);
  bytes.set(await mac(key, bytes.subarray(0, tagAt), tagLength), tagAt);
  return kinds[kind].prefix + toBase64url(bytes);
}

/** Reads a token of this kind that we made; `undefined` for anything else. No I/O. */
export async function readToken(
  ring: KeyRing,
  kind: TokenKind,
  text: string,
): Promise<TokenFacts | undefined> {
  const { type, prefix } = kinds[kind];
  const encoded = text.slice(prefix.length);
  if (!text.startsWith(prefix) || !pattern.test(encoded)) return undefined;
  const bytes = fromBase64(encoded);
  if (bytes[0] !== type) return undefined;
  const [signed, tag] = [bytes.subarray(0, tagAt), bytes.subarray(tagAt)];
  for (const key of await verifyingKeys(ring, label, bytes[1] ?? 0)) {
    if (await isMacOf(key, signed, tag)) return factsOf(bytes);
  }
  return undefined;
}

function factsOf(bytes: Uint8Array): TokenFacts {
  const view = new DataView(bytes.buffer);
  return {
    grantId: toBase64url(bytes.subarray(grantAt, generationAt)),
    generation: view.getUint32(generationAt),
    expiresAt: view.getUint32(expiryAt) * 1000,
    shard: view.getUint16(shardAt),
  };
}
