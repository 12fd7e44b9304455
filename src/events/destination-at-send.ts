import type { Settings } from '../settings.ts';
import { shardBinding } from '../db/shards.ts';
import { log } from '../log.ts';
import type { Ports } from './clock.ts';
import { hostToResolve, refusalOfHost } from './destination-check.ts';
import type { SendError } from './outcome.ts';

const hour = 3_600_000;

/** How long a verdict holds before the resolver is asked again. */
const freshMs = hour;

/** How long a good verdict serves while the resolver does not answer. */
const lastGoodMs = 24 * hour;

/** Hosts that an isolate remembers; beyond that it begins anew. */
const capacity = 5_000;

/** What the resolver last said of a host. Times are epoch milliseconds; `good_at` is of the last good verdict. */
interface Verdict {
  checked_at: number;
  good_at: number | null;
  refusal: string | null;
}

/**
 * Judges receivers when something is sent to them (webhooks 3.15): a verdict of the last hour holds, in the isolate or
 * in the shard; an older one is made anew. While the resolver does not answer, a good verdict of the last day
 * serves. Answers with what to record instead of sending, or `undefined`; never rejects. `remembered` is for tests.
 */
export function judgeAtSend(
  env: Env,
  settings: Settings,
  ports: Pick<Ports, 'fetch' | 'now'>,
  remembered: Map<string, Verdict> = isolate,
): (shard: number, url: string) => Promise<SendError | undefined> {
  return async (shard, url) => {
    const host = hostToResolve(url, settings);
    if (host === undefined) return undefined;
    const now = ports.now();
    const isFresh = (one?: Verdict) => one !== undefined && one.checked_at > now - freshMs;
    let verdict = remembered.get(host);
    if (!isFresh(verdict)) {
      const db = shardBinding(env, shard);
      verdict = await stored(db, host);
      if (!isFresh(verdict)) {
        try {
          const refusal = (await refusalOfHost(host, settings.resolverUrl, ports)) ?? null;
          const good = refusal === null ? now : (verdict?.good_at ?? null);
          verdict = { checked_at: now, good_at: good, refusal };
          await store(db, host, verdict);
        } catch (error) {
          const reason = error instanceof Error ? error.message : '';
          log('warn', 'webhook_host_not_resolved', { reason });
          const isUsable = verdict?.refusal === null && (verdict.good_at ?? 0) > now - lastGoodMs;
          return isUsable ? undefined : verdict?.refusal ? 'blocked_url' : 'dns';
        }
      }
      if (remembered.size >= capacity) remembered.clear();
      if (verdict) remembered.set(host, verdict);
    }
    return verdict?.refusal ? 'blocked_url' : undefined;
  };
}

const isolate = new Map<string, Verdict>();

/** A database that does not answer is as good as one that knows nothing. */
const stored = async (db: D1Database, host: string): Promise<Verdict | undefined> => {
  const select = 'select checked_at, good_at, refusal from webhook_hosts where host = ?';
  const row = await db
    .prepare(select)
    .bind(host)
    .first<Verdict>()
    .catch(() => null);
  return row ?? undefined;
};

async function store(db: D1Database, host: string, verdict: Verdict): Promise<void> {
  const upsert = `insert into webhook_hosts (host, checked_at, good_at, refusal) values (?, ?, ?, ?)
    on conflict do update set checked_at = excluded.checked_at, good_at = excluded.good_at,
      refusal = excluded.refusal where checked_at < excluded.checked_at`;
  const { checked_at: at, good_at: good, refusal } = verdict;
  await db
    .prepare(upsert)
    .bind(host, at, good, refusal)
    .run()
    .catch(() => log('warn', 'webhook_host_not_stored', {}));
}
