import { hourMs } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import type { Settings } from '../../base/settings.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import { shardBinding } from '../../data/core/open-database.ts';
import { checkHost, hostToResolve, type ResolverDeps } from './check-url.ts';

/** TTL of a check. */
const freshMs = hourMs;

/** How long a passed check is used while the resolver fails. */
const staleMs = 24 * hourMs;

/** The last check of a host, a row of `webhook_hosts`. Times are epoch milliseconds. */
interface HostCheck {
  checked_at: number;
  /** Time of the last check that passed. */
  passed_at: number | null;
  rejection: string | null;
}

/** Checks in the memory of the isolate, at most 5,000 hosts. */
const isolateCache = new TtlCache<HostCheck>(freshMs, 5_000);

/**
 * Creates the check that runs before every send. A check of the last hour is reused, from the isolate or from the shard.
 * While the resolver fails, a check that passed in the last 24 hours is reused. The returned function returns the error
 * to record instead of sending, or `undefined`; it never rejects. Tests inject `cache`.
 */
export function createCachedHostCheck(
  env: Env,
  settings: Settings,
  deps: ResolverDeps & { now: () => number },
  cache: TtlCache<HostCheck> = isolateCache,
): (shard: number, url: string) => Promise<'blocked_url' | 'dns' | undefined> {
  return async (shard, url) => {
    const host = hostToResolve(url, settings);
    if (host === undefined) return undefined;
    const now = deps.now();
    const errorOf = ({ rejection }: HostCheck) => (rejection ? 'blocked_url' : undefined);
    const cached = cache.get(host, now);
    if (cached) return errorOf(cached.value);
    const db = shardBinding(env, shard);
    let check = await loadHostCheck(db, host);
    if (!check || check.checked_at <= now - freshMs) {
      try {
        const rejection = (await checkHost(host, settings.resolverUrl, deps)) ?? null;
        const passedAt = rejection === null ? now : (check?.passed_at ?? null);
        check = { checked_at: now, passed_at: passedAt, rejection };
        await storeHostCheck(db, host, check);
      } catch (error) {
        const message = error instanceof Error ? error.message : '';
        log('warn', 'webhook_host_not_resolved', { message });
        const isUsable = check?.rejection === null && (check.passed_at ?? 0) > now - staleMs;
        return isUsable ? undefined : check?.rejection ? 'blocked_url' : 'dns';
      }
    }
    // From the time of the check, so that every isolate repeats it after the same hour.
    cache.set(host, check, check.checked_at);
    return errorOf(check);
  };
}

/** Returns `undefined` when the database fails. */
async function loadHostCheck(db: D1Database, host: string): Promise<HostCheck | undefined> {
  const select = 'select checked_at, passed_at, rejection from webhook_hosts where host = ?';
  const row = await db
    .prepare(select)
    .bind(host)
    .first<HostCheck>()
    .catch(() => null);
  return row ?? undefined;
}

/** Never rejects: a check that is not stored is repeated. */
async function storeHostCheck(db: D1Database, host: string, check: HostCheck): Promise<void> {
  const upsert = `insert into webhook_hosts (host, checked_at, passed_at, rejection) values (?, ?, ?, ?)
    on conflict do update set checked_at = excluded.checked_at, passed_at = excluded.passed_at,
      rejection = excluded.rejection where checked_at < excluded.checked_at`;
  await db
    .prepare(upsert)
    .bind(host, check.checked_at, check.passed_at, check.rejection)
    .run()
    .catch(() => log('warn', 'webhook_host_not_stored', {}));
}
