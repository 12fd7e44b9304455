import { Hono } from 'hono';
import { getPath } from 'hono/utils/url';
import { sha256 } from '../base/crypto/digest.ts';
import { dayMs, daySeconds } from '../base/durations.ts';
import { serviceUnavailable } from '../base/errors.ts';
import { log } from '../base/log.ts';
import { regionOfShard, regionWorker, storeRegionHeader } from '../base/regions.ts';
import { TtlCache } from '../base/ttl-cache.ts';
import { timeLimits } from '../data/core/open-database.ts';
import { namedShard } from '../http/access/access-token.ts';
import { mcpPaths } from '../http/access/challenge.ts';
import type { AppEnv } from '../http/app-env.ts';
import { openHeaders } from '../http/cors.ts';
import { addDefaults, type Fetch } from '../http/mount.ts';
import { apiBasePath, documentPaths } from './app.ts';
import { callRegion } from './region-call.ts';

/**
 * The regions of the stores of callers, by digests of alias and API key. So the time of an answer says nothing about a store to a
 * caller that was never admitted to it.
 */
const knownRegions = new TtlCache<string>(dayMs, 10_000);

/** Where the cache of the data centre keeps the same, for its other isolates. No request reads it: the Worker runs before the cache. */
const cachePath = '/.regions/';

/** The paths that the Worker near the caller answers: they need no database, or ask all of them. */
const ownPaths = [...documentPaths, '/.well-known', '/health', '/ready'];

/**
 * How long the Worker of a region may be silent, in milliseconds. It waits a second less for its own databases, so its own
 * 503 comes first. A change asks the directory, and its shard twice.
 */
const silenceLimits = {
  read: timeLimits.read + 1_000,
  change: timeLimits.read + 2 * timeLimits.change + 1_000,
} as const;

/** Until when the regions whose Workers failed or were silent are passed by, in this isolate. */
const passedBy = new Map<string, number>();
const passedByMs = 30_000;

/**
 * Whether a region is passed by, so that its stores lose distance and not their changes. One read tries it again after a
 * while: it has an answer either way.
 */
function isPassedBy(region: string, isRead: boolean, now: number): boolean {
  const until = passedBy.get(region);
  if (until === undefined) return false;
  if (!isRead || now < until) return true;
  passedBy.set(region, now + passedByMs);
  return false;
}

/** Whether the Worker near the caller answers. */
const isAnsweredHere = ({ method }: Request, path: string) =>
  method === 'OPTIONS' || ownPaths.some((own) => path === own || path.startsWith(`${own}/`));

/**
 * Hands a request to the Worker of a region, unchanged: to that of its store where it is known, else to that of the directory. Each
 * Worker can answer each request, so a wrong region costs distance only.
 *
 * An access token names the shard of its store. It is not verified here, since a forged one chooses the way of its own request. For
 * an API key the Worker that answered says where the store is, and the next request goes there.
 */
export async function handOver(
  home: string,
  answer: Fetch,
  request: Request,
  env: Env,
  context: ExecutionContext,
): Promise<Response> {
  const path = getPath(request);
  if (isAnsweredHere(request, path)) return await answer(request, env, context);
  const shard = isOfStore(path) ? namedShard(request.headers.get('Authorization')) : undefined;
  const key = shard === undefined ? await callerKey(request, path) : undefined;
  const now = Date.now();
  const named = shard === undefined ? undefined : regionOfShard(env, shard);
  const known = key === undefined ? undefined : await recall(request.url, key, now);
  const wanted = named ?? known ?? home;
  // One that this Worker does not know yet is of a later release.
  const region = regionWorker(env, wanted) ? wanted : home;
  const worker = regionWorker(env, region);
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  if (!worker || isPassedBy(region, isRead, now)) return await answer(request, env, context);
  const call = callRegion(worker, request, silenceLimits[isRead ? 'read' : 'change']);
  let replaced: Promise<Answer> | undefined;
  const replace = (failure: string) =>
    (replaced ??= (async () => {
      // A read changes nothing, so it may run twice. Nobody knows what a change has done.
      const response = await (isRead ? answer : refuse)(request, env, context);
      return { response, failure };
    })());
  const { response, failure } = await Promise.race([
    call.response.then(
      (handedOn): Answer => ({ response: handedOn }),
      (error: unknown) => replace(error instanceof Error ? error.message : typeof error),
    ),
    // Both then answer, and the first counts: what is slow may be slow for both.
    call.silence.then(() => replace('silent')),
  ]);
  if (failure !== undefined) {
    call.end();
    passedBy.set(region, Date.now() + passedByMs);
    log('error', 'region_unreachable', { alert: true, region, reason: failure.slice(0, 200) });
    return response;
  }
  passedBy.delete(region);
  const learned = response.headers.get(storeRegionHeader);
  if (learned === null) return response;
  if (key !== undefined && learned !== known) {
    knownRegions.set(key, learned, now);
    context.waitUntil(keep(request.url, key, learned));
  }
  const shown = new Response(response.body, response);
  shown.headers.delete(storeRegionHeader);
  return shown;
}

interface Answer {
  response: Response;
  /** Why the answer is not that of the region. */
  failure?: string;
}

const storePath = new RegExp(`^${apiBasePath}/(?!auth/|operator/)([^/]+)/`);

/** Whether a path is of one store: all of the API but the paths of a user and of operators, and the server for assistants. */
const isOfStore = (path: string) => mcpPaths.includes(path) || storePath.test(path);

/** Names the caller and the alias of a request to the API with a key; `undefined` for others. */
async function callerKey({ headers }: Request, path: string): Promise<string | undefined> {
  const [token, secret] = [headers.get('User-Token'), headers.get('User-Secret-Key')];
  const [, alias] = storePath.exec(path) ?? [];
  if (token === null || secret === null || alias === undefined) return undefined;
  return sha256(`${alias}\n${token}\n${secret}`);
}

/** Returns the region that this isolate knows for a key, else the one that another isolate of the data centre has learned. */
async function recall(url: string, key: string, now: number): Promise<string | undefined> {
  const known = knownRegions.get(key, now)?.value;
  if (known !== undefined) return known;
  const kept = await caches.default.match(new URL(cachePath + key, url)).catch(() => undefined);
  const region = await kept?.text();
  if (region !== undefined) knownRegions.set(key, region, now);
  return region;
}

const keep = (url: string, key: string, region: string): Promise<void> =>
  caches.default
    .put(
      new URL(cachePath + key, url),
      new Response(region, { headers: { 'Cache-Control': `max-age=${daySeconds}` } }),
    )
    .catch(() => undefined);

let refusing: Hono<AppEnv> | undefined;

/** Answers 503: the region of the request does not answer. */
const refuse: Fetch = (...served) => {
  refusing ??= addDefaults(new Hono(), openHeaders).use(() => {
    throw serviceUnavailable();
  });
  return refusing.fetch(...served);
};
