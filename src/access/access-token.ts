import { fromBase64, toBase64url } from '../crypto/base64.ts';
import { equalInConstantTime } from '../crypto/equal.ts';
import { signingKey, verifyingKeys, type KeyRing } from '../crypto/key-ring.ts';
import { mac } from '../crypto/mac.ts';

/** What an access token says; all of it is under its MAC. Moments are epoch milliseconds. */
export interface AccessClaims {
  grantId: string;
  clientId: string;
  userId: number;
  storeId: number;
  alias: string;
  /** The database that holds the store and the grant. */
  shard: number;
  /** Bits. */
  scopes: number;
  generation: number;
  issuedAt: number;
  expiresAt: number;
}

const label = 'access-token/v1';
const pattern = /^oat_([A-Za-z0-9_-]{1,800})\.([A-Za-z0-9_-]{43})$/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** The access token of these claims: the same claims make the same token while the key is the same. */
export async function mintAccessToken(ring: KeyRing, claims: AccessClaims): Promise<string> {
  const { id, key } = await signingKey(ring, label);
  const content = encoder.encode(JSON.stringify(listed(claims)));
  const bytes = new Uint8Array(content.length + 1);
  bytes.set([id]);
  bytes.set(content, 1);
  const payload = toBase64url(bytes);
  return `oat_${payload}.${await tagOf(key, payload)}`;
}

/** The claims of a token that we signed and that has not expired; `undefined` for anything else. No I/O. */
export async function verifyAccessToken(
  ring: KeyRing,
  token: string,
  now: number,
): Promise<AccessClaims | undefined> {
  const claims = await readAccessToken(ring, token);
  return claims && now < claims.expiresAt ? claims : undefined;
}

/** The claims of a token that we signed, expired or not. No I/O. */
export async function readAccessToken(
  ring: KeyRing,
  token: string,
): Promise<AccessClaims | undefined> {
  const [, payload, tag] = pattern.exec(token) ?? [];
  if (payload === undefined || tag === undefined) return undefined;
  const bytes = bytesOf(payload);
  for (const key of await verifyingKeys(ring, label, bytes?.[0] ?? -1)) {
    if (bytes && (await equalInConstantTime(await tagOf(key, payload), tag))) {
      // Only `mintAccessToken` makes what carries this tag.
      return named(JSON.parse(decoder.decode(bytes.subarray(1))) as Listed);
    }
  }
  return undefined;
}

const tagOf = async (key: CryptoKey, payload: string) =>
  toBase64url(await mac(key, encoder.encode(payload)));

function bytesOf(payload: string): Uint8Array | undefined {
  // Base64 of this length encodes no bytes.
  return payload.length % 4 === 1 ? undefined : fromBase64(payload);
}

/** The order in which a token lists its claims, without their names: it goes with every call. */
const order = [
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
] as const satisfies readonly (keyof AccessClaims)[];

type Listed = AccessClaims[keyof AccessClaims][];

const listed = (claims: AccessClaims): Listed => order.map((name) => claims[name]);

// What `listed` made of claims names all of them again.
const named = (values: Listed) =>
  Object.fromEntries(order.map((name, at) => [name, values[at]])) as unknown as AccessClaims;
