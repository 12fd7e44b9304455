import type { KeyRing } from '../crypto/key-ring.ts';
import { AccountDb } from '../db/directory.ts';
import { openShard } from '../db/open.ts';
import type { Statement } from '../db/statement.ts';
import { StoreDb, type Store } from '../db/store.ts';
import { forbidden, outOfScope, unauthenticated } from '../problem.ts';
import { identifyBearer } from './bearer.ts';
import { identifyPair } from './header-pair.ts';
import { limited } from './limits.ts';
import type { Principal } from './principal.ts';
import type { Access } from './scopes.ts';
import { shardBinding } from '../db/shards.ts';

/** A caller whose credentials are right, and the store of the path if the caller may reach it. */
export interface Caller {
  principal: Principal;
  store: Store | undefined;
  /** Statements that every batch of the request starts with, such as the check that a grant still lives. */
  guards: readonly Statement[];
  /** Runs the guards by themselves, where no batch will: 401 comes before every other refusal. */
  assure: () => Promise<void>;
}

/** What a row may work with. */
export interface Admitted {
  principal: Principal;
  account: AccountDb;
  /** Only on rows of a store. */
  db: StoreDb | undefined;
}

interface Door {
  env: Env;
  headers: Headers;
  /** `undefined` on rows that belong to no store. */
  alias: string | undefined;
  access: Access;
  /** The heading of the row: rate limits count per resource. */
  heading: string;
  now: number;
  /** Takes what may go on after the answer (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
  /** Requests per minute of the three limits. */
  limits: { api: number; me: number; refused: number };
  /** Root of the keys of access tokens. */
  tokenKeys: KeyRing;
  wake: (shard: number, endpoints: number[], areSlow: boolean) => void;
}

/**
 * Credentials, then rate limit, then store, then scope (contract 1.1): 401, 429, 403. The only maker of
 * handles for rows, so that a row can reach no store but the one of its path.
 */
export async function admit(door: Door): Promise<Admitted> {
  const { env, alias, access, now, limits } = door;
  const directory = openShard(env.DIRECTORY);
  const caller = await identify(door, directory);
  const { principal, store } = caller;
  const [limiter, perMinute] =
    alias === undefined
      ? ([env.ME_LIMIT, limits.me] as const)
      : ([env.API_LIMIT, limits.api] as const);
  await limited(limiter, perMinute, `${principal.key}:${alias ?? ''}:${door.heading}`, now);
  const account = new AccountDb(principal.userId, directory, principal.storeId);
  const isInScope = access === 'signed-in' || principal.may(access);
  if (alias === undefined || !store?.active || !isInScope) await caller.assure();
  if (alias === undefined) return { principal, account, db: undefined };
  if (!store?.active) throw forbidden();
  if (!isInScope) throw outOfScope(access);
  const { shard } = store;
  const db = new StoreDb(store, openShard(shardBinding(env, shard)), {
    now,
    wake: (endpoints, areSlow = false) => door.wake(shard, endpoints, areSlow),
    guards: caller.guards,
  });
  return { principal, account, db };
}

async function identify(door: Door, directory: ReturnType<typeof openShard>): Promise<Caller> {
  const token = door.headers.get('User-Token');
  const secret = door.headers.get('User-Secret-Key');
  const authorization = door.headers.get('Authorization');
  const hasPair = token !== null || secret !== null;
  if (authorization !== null && /^Bearer\b/i.test(authorization)) {
    if (hasPair) return refused(door);
    const clientId = door.headers.get('X-Partner-Client-ID') ?? undefined;
    const sent = { authorization, clientId, alias: door.alias };
    const caller = await identifyBearer(door.env, door.tokenKeys, directory, sent, door.now);
    return caller ?? refused(door);
  }
  if (!token || !secret) return refused(door);
  const known = await identifyPair(directory, { token, secret }, door.alias, door.now, door.defer);
  if (!known) return refused(door);
  const principal: Principal = {
    key: `pair:${known.credentialId}`,
    userId: known.userId,
    clientId: null,
    storeId: null,
    may: () => true,
  };
  return { principal, store: known.store, guards: [], assure: () => Promise.resolve() };
}

/** Refused credentials are counted by address, so that guessing is slow. */
async function refused(door: Door): Promise<never> {
  const address = door.headers.get('CF-Connecting-IP') ?? 'unknown';
  await limited(door.env.REFUSED_LIMIT, door.limits.refused, address, door.now);
  throw unauthenticated();
}
