import { fromBase64, toBase64url } from '../../base/crypto/base64.ts';
import { equalInConstantTime } from '../../base/crypto/digest.ts';
import { computeMac } from '../../base/crypto/hmac.ts';
import { type KeyRing, currentMacKey, macKeysWithId } from '../../base/crypto/keys.ts';
import {
  openDatabase,
  type Database,
  hasShard,
  shardBinding,
} from '../../data/core/open-database.ts';
import type { Store } from '../../data/core/store.ts';
import { knownMembership, loadMembership } from '../../data/directory/stores.ts';
import { isGrantLive } from '../../data/grants/grant-conditions.ts';
import { coversScope, scopesFromBits } from '../../data/grants/scopes.ts';
import { guardStatement } from '../../data/shards/guard.ts';
import { followMove, factsOf } from '../../data/shards/placements.ts';
import type { Caller, Resource } from './principal.ts';

/** The paths of the tools for assistants: a slash at the end names the same. */
export const mcpPaths: readonly string[] = ['/mcp', '/mcp/'];

/** The address of the tools for assistants, which a token is asked for by (RFC 8707). */
export const mcpResource = (origin: string, path = '/mcp') => `${origin}${path}`;

/**
 * Where clients find who issues tokens for the tools of assistants, before their path (RFC 9728,
 * section 3.1).
 */
export const resourceMetadataRoot = '/.well-known/oauth-protected-resource';

/**
 * The challenge of the tools for a request without credentials (RFC 9728, section 5.1). It names
 * the metadata of the very `path` that was asked for: strict clients use no others (section 3.3).
 */
export const challengeOf = (origin: string, path = '/mcp') =>
  `Bearer resource_metadata="${origin}${resourceMetadataRoot}${path}"`;

/** The challenge for a token that opens something else (RFC 9728, section 5.1). */
export const wrongResourceChallenge = (origin: string, path?: string) =>
  challengeOf(origin, path).replace(' ', ' error="invalid_token", ');

/** Returns the token of an `Authorization: Bearer` header (RFC 6750, section 2.1), if it is one. */
export const bearerToken = (authorization: string | null | undefined): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1];

interface BearerInput {
  authorization: string;
  /** Header `X-Partner-Client-ID`. */
  clientId: string | undefined;
  /** The resource of the request. */
  resource: Resource;
  alias: string | undefined;
  /** Asks the directory where the store is, not the token or the cache. */
  isFresh: boolean;
}

/**
 * Verifies `Authorization: Bearer` and `X-Partner-Client-ID` (specification, "Authentication", step
 * 4); returns `undefined` when either is wrong, or the token is for another resource. Assistants
 * need not send a client id.
 *
 * The MAC identifies the caller without a lookup, and the token holds the facts of the store that
 * the request needs. The guard compares all claims with the database of the store, in the first
 * batch of the request. A holder of the MAC key can sign any claims. The directory is asked only
 * before a refusal, and when the facts of the token are old. The isolate then caches the new facts
 * for 30 seconds.
 */
export async function authenticateBearer(
  env: Env,
  tokenKeys: KeyRing,
  directory: Database,
  { authorization, clientId, resource, alias, isFresh }: BearerInput,
  now: number,
): Promise<Caller | undefined> {
  const token = bearerToken(authorization);
  const claims = token === undefined ? undefined : await verifyAccessToken(tokenKeys, token, now);
  if (!claims || audienceOf(claims) !== resource || !hasShard(env, claims.shard)) return undefined;
  const isNamed = clientId === claims.clientId || (resource === 'mcp' && clientId === undefined);
  if (!isNamed) return undefined;
  const { userId, storeId } = claims;
  const asked = { userId, storeId, alias: alias ?? '' };
  const known = isFresh ? undefined : knownMembership(asked, now);
  const claimed = known || isFresh || claims.alias !== alias ? undefined : storeFromClaims(claims);
  const membership = claimed
    ? { store: claimed, isCalled: true, lacksFactor: false }
    : known
      ? known.value
      : await loadMembership(directory, asked, now);
  if (!membership) return undefined;
  const { isCalled, lacksFactor } = membership;
  const found = isFresh && membership.store;
  const store = found ? await followMove(env, found) : membership.store;
  const facts = claimed && factsOf(claimed);

  const database = openDatabase(shardBinding(env, store?.shard ?? claims.shard));
  const conditions = [isGrantLive(claims, now)];
  const guard = { storeId, isReadOnly: true, facts, conditions };
  const granted = scopesFromBits(claims.scopes);
  return {
    principal: {
      key: `grant:${claims.grantId}`,
      userId,
      clientId: claims.clientId,
      agent: claims.agent ?? null,
      apiKeyId: null,
      keyName: null,
      storeIds: [storeId],
      isRestricted: true,
      hasScope: (scope) => coversScope(granted, scope),
    },
    store: isCalled && !lacksFactor ? store : undefined,
    withheld: isCalled && lacksFactor && store?.active ? 'second_factor_required' : undefined,
    operator: undefined,
    facts,
    conditions,
    checkGrant: async () => void (await database.batch([guardStatement(database, guard)])),
  };
}

/** The resource that a token opens. */
export const audienceOf = ({ resource }: AccessClaims): Resource => resource ?? 'api';

/**
 * The store as a token describes it; `undefined` if it was not active then, or required a second
 * factor.
 */
const storeFromClaims = ({ facts, storeId, alias, shard }: AccessClaims): Store | undefined =>
  facts && { id: storeId, alias, shard, ...facts, active: true };

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
