import type { Context } from 'hono';
import type { KeyRing } from '../../base/crypto/keys.ts';
import {
  HttpError,
  insufficientScope,
  StoreElsewhere,
  storeNotAccessible,
  unauthenticated,
} from '../../base/errors.ts';
import { serviceOrigin } from '../../base/settings.ts';
import { formatAgentName, type AuditActor } from '../../data/audit/action.ts';
import { requestSource } from '../../data/audit/audit-lines.ts';
import type { EventPace } from '../../data/core/event-budget.ts';
import {
  DatabaseSession,
  timeLimits,
  openDatabase,
  type Database,
  shardBinding,
} from '../../data/core/open-database.ts';
import { type ClaimedDelivery, StoreDb } from '../../data/core/store-db.ts';
import { AccountDb } from '../../data/directory/account.ts';
import { StoreActivity } from '../../data/directory/activity.ts';
import { isScope } from '../../data/grants/scopes.ts';
import { followMove } from '../../data/shards/placements.ts';
import type { AppEnv } from '../app-env.ts';
import { eventPaceOf, limitOf, rowBudgetOf } from '../operation-limits.ts';
import type { Operation } from '../operation.ts';
import { sentQuery } from '../read-request.ts';
import {
  verifyAccessToken,
  audienceOf,
  authenticateBearer,
  bearerToken,
  wrongResourceChallenge,
} from './access-token.ts';
import { apiKeyPrincipalKey, callerOfApiKey, authenticateApiKey } from './api-key.ts';
import type { Admitted, AssistantCall, Caller, Principal, Resource } from './principal.ts';
import {
  assertNoFlood,
  assertWithinLimit,
  enforceNetworkLimit,
  enforceRateLimit,
  rateLimitPolicy,
  type RateLimits,
} from './rate-limit.ts';

/** Enqueues wake-ups for endpoints with new deliveries. */
type WakeEndpoints = (
  env: Env,
  shard: number,
  endpoints: number[],
  areSlow: boolean,
) => Promise<void>;

/** How a handle delivers the events of its changes, after their commit. Neither rejects. */
export interface EventPorts {
  wakeEndpoints: WakeEndpoints;
  /** Sends deliveries that the request claimed. Without it, all are left to the queues. */
  sendFirst?: (env: Env, shard: number, deliveries: readonly ClaimedDelivery[]) => Promise<void>;
}

/** Whether a parameter is `search`, also as `search[0]` or `search[name]`, and not empty. */
const isSearch = ([name, value]: readonly [string, string]) =>
  value !== '' && /^search(?:\[|$)/.test(name);

/** A request whose caller is to be found. */
interface AuthInput {
  env: Env;
  headers: Headers;
  /** The resource of the request: a token opens one resource only. */
  resource: Resource;
  /** The address of this service. */
  origin: () => string;
  /** `undefined` for operations that belong to no store. */
  alias: string | undefined;
  operation: Operation;
  /** The tag of the operation: rate limits count per caller, store and tag. */
  tag: string;
  /**
   * The request did not find its store (`StoreElsewhere`): the directory is asked where it is, not
   * the cache of the isolate. The request was counted before.
   */
  isFresh: boolean;
  /** How its events go on beyond the event budget. */
  eventPace: EventPace;
  /** How many requests this one counts as. */
  weight: number;
  now: number;
  /** Continues work after the response (`waitUntil`). */
  defer: (work: Promise<unknown>) => void;
  limits: RateLimits;
  tokenKeys: KeyRing;
  /** Whether operators must have a second factor. */
  isOperatorMfaRequired: boolean;
}

/**
 * Checks credentials (401), rate limit (429), store (403) and scope (403), in this order, then sets
 * `admitted`. The store is that of the path, unless `aliasOf` says another.
 */
export function authenticateRequest(
  operation: Operation,
  tag: string,
  ports: EventPorts,
  aliasOf = (c: Context<AppEnv>) => c.req.param('alias'),
): (c: Context<AppEnv>) => Promise<void> {
  const { countedBy, weight, searchWeight } = limitOf(operation);
  const rowBudget = rowBudgetOf(operation);
  const eventPace = eventPaceOf(operation);
  return async (c) => {
    c.set('operation', operation.id);
    c.set('rowBudget', rowBudget);
    const settings = c.get('settings');
    const { limits, tokenKeys, isOperatorMfaRequired } = settings;
    // A 429 and a 401 name the policy of their own.
    const headers = c.get('defaultHeaders');
    headers['RateLimit-Policy'] = rateLimitPolicy(limits, countedBy);
    const { props } = c.executionCtx as { props?: unknown };
    if (props instanceof CallProps) c.set('assistantCall', props.call);
    const enter = async (isFresh: boolean) => {
      const input: AuthInput = {
        env: c.env,
        headers: c.req.raw.headers,
        resource: c.get('assistantCall') ? 'mcp' : 'api',
        origin: () => serviceOrigin(settings, c.req.url),
        alias: operation.isStoreScoped ? aliasOf(c) : undefined,
        operation,
        tag,
        eventPace,
        isFresh,
        weight: sentQuery(c).pairs.some(isSearch) ? searchWeight : weight,
        now: Date.now(),
        defer: (work) => c.executionCtx.waitUntil(work),
        limits,
        tokenKeys,
        isOperatorMfaRequired,
      };
      const directory = openDatabase(c.env.DIRECTORY, 'reads');
      const caller = await authenticate(input, directory);
      const { principal, store } = caller;
      c.set('caller', { principal, storeId: store?.id ?? null });
      if (store?.requests_per_minute != null) {
        headers['RateLimit-Policy'] = rateLimitPolicy(limits, countedBy, store.requests_per_minute);
      }
      if (!isFresh) await limitCaller(input, caller);
      c.set('admitted', await admit(c, input, caller, directory, ports));
    };
    c.set('admitAgain', () => enter(true));
    // A check of the grant in a batch of its own may be the first to miss the store.
    await enter(false).catch((error: unknown) => {
      if (!(error instanceof StoreElsewhere)) throw error;
      return enter(true);
    });
  };
}

/** Marks the context of a request that this service makes itself: no other can claim to be one. */
class CallProps {
  readonly call: AssistantCall;

  constructor(call: AssistantCall) {
    this.call = call;
  }
}

/** The context of a request to the service itself that makes a call of an assistant. */
export const contextOfCall = (
  context: Pick<ExecutionContext, 'waitUntil'>,
  call: AssistantCall,
): ExecutionContext =>
  ({
    waitUntil: (work: Promise<unknown>) => context.waitUntil(work),
    passThroughOnException: () => undefined,
    props: new CallProps(call),
  }) as unknown as ExecutionContext;

/**
 * Opens what a caller may reach. Only this function creates store handles for operations, so a
 * handler can reach no store but the one of its path.
 */
async function admit(
  c: Context<AppEnv>,
  { env, alias, isFresh, now, operation, eventPace }: AuthInput,
  caller: Caller,
  directory: Database,
  { wakeEndpoints, sendFirst }: EventPorts,
): Promise<Admitted> {
  const { access } = operation;
  const { principal, store, operator } = caller;
  const account = () => new AccountDb(principal.userId, directory, principal.storeIds);
  if (access === 'operator') {
    await caller.checkGrant();
    if (!operator) throw new HttpError('operator_only');
    return { principal, account, ...withoutStore, operator };
  }
  const isInScope = !isScope(access) || principal.hasScope(access);
  // No batch of the store follows, so nothing else would notice a revoked grant.
  if (alias === undefined || !store?.active || !isInScope) await caller.checkGrant();
  if (alias === undefined) return { principal, account, ...withoutStore, operator: undefined };
  if (caller.withheld) throw new HttpError(caller.withheld);
  if (!store?.active) throw storeNotAccessible();
  if (store.alias !== alias) c.set('renamed', { from: alias, to: store.alias });
  if (!isInScope) throw insufficientScope(access, principal.clientId === null ? 'api-key' : 'app');
  const { shard } = store;
  const isReadOnly = operation.method === 'GET';
  const binding = shardBinding(env, shard);
  const session = new DatabaseSession(binding, isReadOnly ? timeLimits.read : timeLimits.change);
  const db = new StoreDb(store, openDatabase(binding), {
    now,
    wakeEndpoints: (endpoints, areSlow = false) =>
      c.executionCtx.waitUntil(wakeEndpoints(env, shard, endpoints, areSlow)),
    ...(sendFirst && {
      sendFirst: (deliveries) => c.executionCtx.waitUntil(sendFirst(env, shard, deliveries)),
    }),
    guard: {
      ...(caller.conditions && { conditions: caller.conditions }),
      facts: caller.facts,
      // The facts of a token say so themselves. A fresh answer of the directory may be newer than
      // the shard.
      mustWork: caller.facts === undefined && !isFresh,
      isReadOnly,
    },
    session,
    events: { budget: c.get('settings').eventBudget, pace: eventPace },
    by: () => ({ actor: actorOf(principal), from: requestSource(c.req.raw) }),
    archive: env.ARCHIVE,
  });
  const activity = () => new StoreActivity(directory, store.id);
  return { principal, account, db, activity, operator: undefined };
}

const withoutStore = { db: undefined, activity: undefined };

/** The caller as the audit names it. */
const actorOf = ({ userId, clientId, agent, apiKeyId, keyName }: Principal): AuditActor =>
  clientId === null
    ? { kind: 'api_key', id: String(apiKeyId), name: keyName ?? '', userId }
    : {
        kind: 'app',
        id: clientId,
        name: agent === null ? clientId : formatAgentName(agent, userId),
        userId: null,
      };

/** Counts the request against the limits of the caller and of the store. Throws a 429. */
async function limitCaller(input: AuthInput, { principal, store }: Caller): Promise<void> {
  const { alias, tag, weight } = input;
  if (alias === undefined) return enforceRateLimit(input, 'me', `${principal.key}::${tag}`, weight);
  if (!store) return enforceRateLimit(input, 'api', unreachableKey(principal.key), weight);
  await enforceRateLimit(input, 'api', `${principal.key}:${store.id}:${tag}`, weight);
  // Counts only requests within the limit of the caller, and no request of a stranger.
  const quota = store.requests_per_minute ?? input.limits.store;
  await enforceRateLimit(input, 'store', `${store.id}`, weight, quota);
}

/**
 * The key of all requests of a credential for stores that it cannot reach: a new alias each time
 * gains nothing.
 */
const unreachableKey = (principalKey: string) => `${principalKey}:unreachable`;

async function authenticate(input: AuthInput, directory: Database): Promise<Caller> {
  const { env, headers, resource, alias, now, isFresh, defer } = input;
  const token = headers.get('User-Token');
  const secret = headers.get('User-Secret-Key');
  const authorization = headers.get('Authorization');
  if (authorization !== null && /^Bearer\b/i.test(authorization)) {
    // Two identities in one request are rejected: neither can take precedence.
    if (token !== null || secret !== null) return rejectCredentials(input);
    const clientId = headers.get('X-Partner-Client-ID') ?? undefined;
    const bearer = { authorization, clientId, resource, alias, isFresh };
    const caller = await authenticateBearer(env, input.tokenKeys, directory, bearer, now);
    return caller ?? rejectCredentials(input);
  }
  if (!token || !secret) return rejectCredentials(input);
  const beforeLookup = (apiKeyId: number | undefined) => {
    if (apiKeyId === undefined) return assertNoFlood(input, 'failedAuth', addressOf(input));
    assertWithinLimit(input, 'api', unreachableKey(apiKeyPrincipalKey(apiKeyId)));
  };
  // A cached user may no longer be an operator.
  const isLookedUp = isFresh || input.operation.access === 'operator';
  const options = { now, isFresh: isLookedUp, defer, beforeLookup };
  const apiKey = await authenticateApiKey(directory, { token, secret }, alias, options);
  if (!apiKey) return rejectCredentials(input);
  const caller = callerOfApiKey(apiKey, input);
  return isFresh && caller.store
    ? { ...caller, store: await followMove(env, caller.store) }
    : caller;
}

/**
 * Counts rejected credentials per network of the client, which slows guessing down. Throws a 401 or
 * a 429.
 */
async function rejectCredentials(input: AuthInput): Promise<never> {
  await enforceNetworkLimit(input, 'failedAuth', addressOf(input));
  const error = explainCredentials(input);
  error.headers['RateLimit-Policy'] = rateLimitPolicy(input.limits, 'network');
  if (await isForOtherResource(input)) {
    error.headers['WWW-Authenticate'] = wrongResourceChallenge(input.origin());
  }
  throw error;
}

/** Whether a rejected token is one that we signed for another resource. */
async function isForOtherResource({ headers, tokenKeys, resource, now }: AuthInput) {
  const token = bearerToken(headers.get('Authorization'));
  const claims = token === undefined ? undefined : await verifyAccessToken(tokenKeys, token, now);
  return claims !== undefined && audienceOf(claims) !== resource;
}

const addressOf = ({ headers }: AuthInput) => headers.get('CF-Connecting-IP');

const required = ['Required.'];
const requiredForApiKey = ['Required, unless Authorization: Bearer is sent.'];

/**
 * Returns the 401 for rejected credentials. It names a header that is missing or sent in vain. It
 * never says what is wrong with the values of complete credentials.
 */
function explainCredentials({ headers, resource }: AuthInput): HttpError {
  const [token, secret] = [headers.get('User-Token'), headers.get('User-Secret-Key')];
  const authorization = headers.get('Authorization');
  if (authorization !== null && /^Bearer\b/i.test(authorization)) {
    if (token !== null || secret !== null) {
      const errors = { Authorization: ['Must not be sent with User-Token or User-Secret-Key.'] };
      return unauthenticated('credentials_ambiguous', { errors });
    }
    const misused = explainBearer(bearerToken(authorization));
    if (misused) return misused;
    // Assistants need not send their client id.
    const isNamed = headers.get('X-Partner-Client-ID') ?? resource === 'mcp';
    if (isNamed) return unauthenticated('unauthenticated', wrongToken);
    return unauthenticated('credentials_incomplete', {
      errors: { 'X-Partner-Client-ID': required },
      hint: 'X-Partner-Client-ID is missing: send the client id of your app with the access token.',
    });
  }
  if (token?.startsWith('sk_') && secret?.startsWith('ut_')) {
    return unauthenticated('unauthenticated', { hint: exchangedKey });
  }
  if (token && secret) return unauthenticated('unauthenticated', wrongKey);
  const misused = explainBearer(authorization ?? '');
  if (misused) return misused;
  if (token) return incompleteKey('User-Secret-Key');
  if (secret) return incompleteKey('User-Token');
  return unauthenticated('credentials_incomplete', {
    errors: { 'User-Token': requiredForApiKey, 'User-Secret-Key': requiredForApiKey },
  });
}

/** The 401 for something else than an access token; its prefix says what it is. */
function explainBearer(token = ''): HttpError | undefined {
  const [, hint] = otherBearers.find(([prefix]) => prefix.test(token)) ?? [];
  return hint === undefined ? undefined : unauthenticated('unauthenticated', { hint });
}

const otherBearers: readonly [prefix: RegExp, hint: string][] = [
  [
    /^(?:sk|ut)_/,
    'This is an API key: use the two headers User-Token and User-Secret-Key, without Authorization.',
  ],
  [/^ort_/, 'This is a refresh token: exchange it at /oauth/token, and send the access token.'],
  [/^oac_/, 'This is an authorization code: exchange it at /oauth/token for an access token.'],
];

const exchangedKey =
  'Exchange the two values: User-Token begins with ut_, User-Secret-Key with sk_.';

const wrongToken = {
  hint: 'Refresh the access token, which expires after 10 minutes, and check that X-Partner-Client-ID is its app; if that fails, let the merchant authorize the app again.',
};

const wrongKey = {
  hint: 'Compare User-Token and User-Secret-Key with the API key, or create a new key on the account pages: this pair is no key that exists.',
};

const incompleteKey = (name: string) =>
  unauthenticated('credentials_incomplete', {
    errors: { [name]: required },
    hint: `${name} is missing: send both parts of the API key.`,
  });

/** Checks the grant of a request that ran no batch, so that a revoked token gets 401. */
export async function ensureGuarded(c: Context<AppEnv>): Promise<void> {
  if (c.get('admitted').db?.isGuarded === false) {
    await findingStore(c, async () => c.get('admitted').db?.ensureGuarded());
  }
}

/**
 * Runs `work`, and once more if the store is not in the shard that this isolate, or the caller's
 * token, names. Nothing was read or changed then. A second `StoreElsewhere` is a 503: the store is
 * moving.
 */
export async function findingStore<T>(c: Context<AppEnv>, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof StoreElsewhere)) throw error;
  }
  await c.get('admitAgain')();
  return work();
}
