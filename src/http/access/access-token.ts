import { fromBase64, toBase64url } from '../../base/crypto/base64.ts';
import { equalInConstantTime } from '../../base/crypto/digest.ts';
import { computeMac } from '../../base/crypto/hmac.ts';
import { currentMacKey, macKeysWithId, type KeyRing } from '../../base/crypto/keys.ts';
import type { Store } from '../../data/core/store.ts';

/** The claims of an access token; the MAC covers all of them. Times are epoch milliseconds. */
export interface AccessClaims {
  grantId: string;
  clientId: string;
  userId: number;
  storeId: number;
  alias: string;
  /** The database that holds the store and the grant. */
  shard: number;
  /** Bits (`scopesToBits`). */
  scopes: number;
  generation: number;
  issuedAt: number;
  expiresAt: number;
  /**
   * The facts of the store that a request needs, if it was active and required no second factor;
   * the guard of each request checks them.
   */
  facts: Pick<Store, 'zone' | 'base_url' | 'test' | 'requests_per_minute'> | undefined;
  /** The resource that the token opens, if that is not the API. */
  resource?: 'mcp' | undefined;
  /** How the activity names an agent. */
  agent?: string | undefined;
}

const keyLabel = 'access-token/v1';
// The address of a shop has up to 255 characters.
const tokenPattern = /^oat_([A-Za-z0-9_-]{1,1600})\.([A-Za-z0-9_-]{43})$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Signs claims. The token is deterministic: the same claims and key yield the same token. */
export async function mintAccessToken(tokenKeys: KeyRing, claims: AccessClaims): Promise<string> {
  const { id, key } = await currentMacKey(tokenKeys, keyLabel);
  const content = encoder.encode(JSON.stringify(toClaimList(claims)));
  const bytes = new Uint8Array(content.length + 1);
  bytes.set([id]);
  bytes.set(content, 1);
  const payload = toBase64url(bytes);
  return `oat_${payload}.${await computeTag(key, payload)}`;
}

/**
 * Returns the claims of a token that we signed and that has not expired, else `undefined`. Does no
 * I/O.
 */
export async function verifyAccessToken(
  tokenKeys: KeyRing,
  token: string,
  now: number,
): Promise<AccessClaims | undefined> {
  const [, payload, tag] = tokenPattern.exec(token) ?? [];
  if (payload === undefined || tag === undefined) return undefined;
  const bytes = decodePayload(payload);
  for (const key of await macKeysWithId(tokenKeys, keyLabel, bytes?.[0] ?? -1)) {
    if (bytes && (await equalInConstantTime(await computeTag(key, payload), tag))) {
      // Only `mintAccessToken` creates a payload with this tag.
      const claims = fromClaimList(JSON.parse(decoder.decode(bytes.subarray(1))) as ClaimList);
      return now < claims.expiresAt ? claims : undefined;
    }
  }
  return undefined;
}

const computeTag = async (key: CryptoKey, payload: string) =>
  toBase64url(await computeMac(key, encoder.encode(payload)));

function decodePayload(payload: string): Uint8Array | undefined {
  // No bytes have a base64 encoding of this length.
  return payload.length % 4 === 1 ? undefined : fromBase64(payload);
}

/**
 * A token lists the values of its claims in this order, without names, since it is sent with every
 * request.
 */
const claimOrder = [
  'grantId',
  'clientId',
  'userId',
  'storeId',
  'alias',
  'shard',
  'scopes',
  'generation',
  'issuedAt',
  'expiresAt',
  'facts',
] as const satisfies readonly (keyof AccessClaims)[];

/** Claims after these, in tokens that have one of them. */
const furtherClaims = ['resource', 'agent'] as const satisfies readonly (keyof AccessClaims)[];

type ClaimList = AccessClaims[keyof AccessClaims][];

const toClaimList = (claims: AccessClaims): ClaimList =>
  (furtherClaims.every((name) => claims[name] === undefined)
    ? claimOrder
    : [...claimOrder, ...furtherClaims]
  ).map((name) => claims[name]);

// Reverses `toClaimList`, so every claim is there. JSON has no `undefined`.
const fromClaimList = (values: ClaimList) =>
  Object.fromEntries(
    [...claimOrder, ...furtherClaims].map((name, index) => [name, values[index] ?? undefined]),
  ) as unknown as AccessClaims;
