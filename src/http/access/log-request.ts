import type { KeyRing } from '../../base/crypto/keys.ts';
import { minuteMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import { openDatabase, shardBinding } from '../../data/core/open-database.ts';
import { addRequest, loggedCaller, type LoggedRequest } from '../../data/directory/request-log.ts';
import { addStoreLoad } from '../../data/shards/store-loads.ts';
import { verifyAccessToken, bearerToken } from './access-token.ts';
import type { Principal } from './principal.ts';

/**
 * The most failures that an isolate stores whole in a minute, of one caller. Of the rest it stores
 * one in so many.
 */
const wholePerCaller = 60;
const floodSample = 100;

/** The operation that reads the log: who follows it would see its own calls only. */
const readsLog = 'listRequests';

/** The most requests that an isolate stores in a minute, of all callers. */
const maxInAll = 600;

/** The requests of a minute: those that this isolate stored, and the failures by caller. */
const counted = { minute: 0, stored: 0, failures: new Map<string, number>() };

/** Who called, once that is known, and the store of the path if the caller can reach it. */
export interface LoggedCaller {
  principal: Pick<Principal, 'clientId' | 'apiKeyId'>;
  storeId: number | null;
}

/** The time in the database of its store that a request took. */
interface DatabaseWork {
  storeId: number;
  shard: number;
  ms: number;
}

/**
 * The headers of a request, the keys that sign access tokens, and of how many successes one is
 * stored.
 */
interface SentCredentials {
  tokenKeys: KeyRing;
  headers: Headers;
  perSuccess: number;
}

/** A request before its place in the sample is known. */
export type EndedRequest = Omit<LoggedRequest, 'id' | 'one_in'>;

/**
 * Returns of how many such requests this one is stored, or 0 if it is not. `perSuccess` is that
 * number of successes; 0 stores none of them.
 */
function sampleOf(
  caller: string,
  { at, status, operation }: EndedRequest,
  perSuccess: number,
): number {
  const minute = Math.floor(at / minuteMs);
  if (minute !== counted.minute) {
    counted.minute = minute;
    counted.stored = 0;
    counted.failures.clear();
  }
  if (counted.stored >= maxInAll) return 0;
  let oneIn = perSuccess;
  if (status >= 400) {
    const failures = (counted.failures.get(caller) ?? 0) + 1;
    counted.failures.set(caller, failures);
    oneIn = failures <= wholePerCaller ? 1 : floodSample;
    // The first of a hundred, so that a flood never looks like silence.
    if (failures > wholePerCaller && (failures - wholePerCaller) % floodSample !== 1) return 0;
  } else if (oneIn === 0 || operation === readsLog || Math.random() * oneIn >= 1) {
    return 0;
  }
  counted.stored += 1;
  return oneIn;
}

/**
 * Stores a request of an app or an API key for its owner, after the response: failures whole,
 * successes as a sample. Without a known caller, an access token that we signed names the app,
 * expired or not; anything else is not stored. A stored success adds to the load of its store, for
 * all that it stands for. Never rejects.
 *
 * Returns `undefined` at once for a request of a known caller that is not stored, so that most
 * successes cost no promise.
 */
export function logRequest(
  env: Env,
  caller: LoggedCaller | undefined,
  credentials: SentCredentials,
  request: EndedRequest,
  work?: DatabaseWork,
): Promise<void> | undefined {
  if (!caller) return storeSigned(env, credentials, request, work);
  const known = knownCaller(caller);
  const oneIn = known ? sampleOf(known.caller, request, credentials.perSuccess) : 0;
  return known && oneIn > 0
    ? storeRow(env, { ...known, ...request, one_in: oneIn }, work)
    : undefined;
}

/** Stores a request whose caller only its access token names. */
async function storeSigned(
  env: Env,
  credentials: SentCredentials,
  request: EndedRequest,
  work: DatabaseWork | undefined,
): Promise<void> {
  const known = await signedCaller(credentials).catch(noteFailure);
  const oneIn = known ? sampleOf(known.caller, request, credentials.perSuccess) : 0;
  if (known && oneIn > 0) await storeRow(env, { ...known, ...request, one_in: oneIn }, work);
}

async function storeRow(
  env: Env,
  row: Parameters<typeof addRequest>[1],
  work: DatabaseWork | undefined,
): Promise<void> {
  try {
    await Promise.all([
      addRequest(openDatabase(env.DIRECTORY), row),
      // The successes are the sample by which the load of a shard is estimated.
      work &&
        row.status < 400 &&
        work.ms > 0 &&
        addStoreLoad(shardBinding(env, work.shard), {
          storeId: work.storeId,
          ms: work.ms * row.one_in,
        }),
    ]);
  } catch (error) {
    noteFailure(error);
  }
}

const noteFailure = (error: unknown): undefined => {
  log('warn', 'request_not_stored', { reason: error instanceof Error ? error.name : '' });
};

/** Names a caller in the log; `undefined` for one without a credential of its own. */
export function nameCaller({ clientId, apiKeyId }: LoggedCaller['principal']): string | undefined {
  if (clientId !== null) return loggedCaller.app(clientId);
  return apiKeyId === null ? undefined : loggedCaller.apiKey(apiKeyId);
}

function knownCaller({ principal, storeId }: LoggedCaller) {
  const caller = nameCaller(principal);
  return caller === undefined ? undefined : { caller, store_id: storeId };
}

async function signedCaller({ tokenKeys, headers }: SentCredentials) {
  const token = bearerToken(headers.get('Authorization'));
  if (token === undefined) return undefined;
  // At time 0 no token has expired.
  const claims = await verifyAccessToken(tokenKeys, token, 0);
  return claims && { caller: loggedCaller.app(claims.clientId), store_id: claims.storeId };
}
