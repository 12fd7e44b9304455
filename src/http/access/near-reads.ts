import { log } from '../../base/log.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import { openDatabase } from '../../data/core/open-database.ts';
import { isInAreas, type ScopeArea, type RequiredAccess } from '../../data/grants/scopes.ts';
import { maxLagMs, requestHeartbeatStatement } from '../../data/shards/heartbeat.ts';
import type { Principal } from './principal.ts';

/** The header of the state that a response shows, which a later request may send back. */
export const bookmarkHeader = 'X-Bookmark';

/**
 * The areas whose reads may be answered by a replica. Personal data, money and deliveries are always read at the
 * primary: an old copy could show deleted data, or a paid amount as open.
 */
const nearAreas: readonly ScopeArea[] = ['catalog', 'inventory', 'config'];

/** Whether an operation may be answered by a replica: it reads, and its data belong to one of these areas. */
export const mayReadNear = (method: string, access: RequiredAccess): boolean =>
  method === 'GET' && isInAreas(access, nearAreas);

/** Where a request wants its reads to start. */
export interface WantedReads {
  /** Header `X-Bookmark`. */
  bookmark: string | undefined;
  /** `Prefer: read=nearest`, or `read=newest`; `undefined` without either: the key or app decides. */
  isNearest: boolean | undefined;
}

/** Where the request wants its reads to start: `Prefer: read=nearest` or `read=newest`, `X-Bookmark`. */
export function wantedReads(headers: Headers): WantedReads {
  const [, read] = /\bread\s*=\s*"?(nearest|newest)\b/i.exec(headers.get('Prefer') ?? '') ?? [];
  return {
    bookmark: headers.get(bookmarkHeader) ?? undefined,
    isNearest: read === undefined ? undefined : read.toLowerCase() === 'nearest',
  };
}

/** Whether the nearest copy may answer: as the request says, else as its key or app. */
export const allowsNearest = (
  { isNearest }: WantedReads,
  { readsNear }: Pick<Principal, 'readsNear'>,
): boolean => isNearest ?? readsNear;

/** Where the reads of a request start. */
interface NearStart {
  /** `first-unconstrained`, or a bookmark. */
  near: string;
  /** The epoch of the bookmark, which the store must still have. */
  epoch: number | undefined;
}

// The last part is the bookmark of D1, which is opaque; `first-...` are other ways to start a session.
const bookmarkPattern = /^(\d{1,6})\.(\d{1,15})\.((?!first-)[A-Za-z0-9-]{1,200})$/;

/**
 * Returns where the reads of a store in this shard start; `undefined` for the primary. A bookmark of another shard, or
 * a malformed one, is ignored.
 */
export function findNearStart(
  reads: WantedReads,
  shard: number,
  principal: Pick<Principal, 'readsNear'>,
): NearStart | undefined {
  const { bookmark } = reads;
  const [, ofShard, epoch, near] =
    bookmark === undefined ? [] : (bookmarkPattern.exec(bookmark) ?? []);
  if (reads.isNearest === false) return undefined;
  if (near !== undefined && Number(ofShard) === shard) return { near, epoch: Number(epoch) };
  return allowsNearest(reads, principal)
    ? { near: 'first-unconstrained', epoch: undefined }
    : undefined;
}

/** The shards whose heartbeat this isolate has renewed lately. */
const renewalMs = maxLagMs / 2;
const renewedShards = new TtlCache<true>(renewalMs, 1_000);

/** Renews the heartbeat of a shard, so that its replicas can answer again once they show it. At most twice a minute. */
export async function renewHeartbeat(
  binding: D1Database,
  shard: number,
  now: number,
): Promise<void> {
  // Named by the half minute, so that the clock of a test may go back.
  const key = `${shard}:${Math.floor(now / renewalMs)}`;
  if (renewedShards.get(key, now)) return;
  renewedShards.set(key, true, now);
  const database = openDatabase(binding);
  try {
    await database.batch([requestHeartbeatStatement(database, now)]);
  } catch (error) {
    // The sweep or a later reader does it.
    const reason = error instanceof Error ? error.name : typeof error;
    log('warn', 'heartbeat_not_renewed', { shard, reason });
  }
}
