import { sql } from 'drizzle-orm';
import { hourMs } from '../../base/durations.ts';
import { hostWithPort } from '../../base/hosts.ts';
import { isLoopbackHost } from '../../base/settings.ts';
import { compileSql, parameter } from '../../data/core/raw.ts';
import { acquireLeases, type AcquiredLeases, type LeaseRequest } from './acquire.ts';
import { retryDelaysMs } from './apply-result.ts';
import { hasWork, type LeasedEndpoint } from './leased-endpoint.ts';

/**
 * Failing hosts that a store may try at the same time. A further one waits until a row of the
 * others is purged.
 */
const maxUnverifiedHosts = 20;

/** Pause before a further host is tried again. */
const otherHostPauseMs = hourMs;

/**
 * The host, with its port, whose unverified endpoints share one clock. The URL policy allows two
 * ports of a public name.
 */
export const unverifiedHostOf = (url: string): string =>
  URL.canParse(url) ? hostWithPort(new URL(url)) : '';

/**
 * Leases like {@link acquireLeases}. Unverified endpoints then send only if their host has not
 * failed, or if its retry is due; the others wait for it. One more round trip if there are any.
 * Never rejects.
 */
export async function acquireSendableLeases(
  request: LeaseRequest,
  options: Parameters<typeof acquireLeases>[1],
): Promise<AcquiredLeases> {
  const leases = await acquireLeases(request, options);
  const unverified = leases.endpoints.filter(
    (endpoint) => endpoint.provenAt === null && hasWork(endpoint),
  );
  if (unverified.length === 0) return leases;
  try {
    await claimHosts(request.db, unverified, options.now);
    return leases;
  } catch (failure) {
    for (const endpoint of unverified) endpoint.isStopped = true;
    return { ...leases, failures: [...leases.failures, failure] };
  }
}

const rowsParameter = parameter('rows');
const now = parameter('now');

// A claim counts as a failure until its success deletes the row, so no second worker can claim the
// same retry.
const claimRetries = compileSql<{ rows: string; now: number }>(sql`
  update webhook_trials set failures = failures + 1,
    next_at = ${now} + (${JSON.stringify(retryDelaysMs)} ->> min(failures, ${retryDelaysMs.length - 1}))
  from (select value ->> 'storeId' as store_id, value ->> 'host' as host from json_each(${rowsParameter})) sent
  where webhook_trials.store_id = sent.store_id and webhook_trials.host = sent.host and next_at <= ${now}
  returning store_id as storeId, host`);

const selectClocks = compileSql<{ rows: string }>(sql`
  select sent.value ->> 'storeId' as storeId, sent.value ->> 'host' as host, webhook_trials.next_at as nextAt,
    (select count(*) from webhook_trials where store_id = sent.value ->> 'storeId') as hosts
  from json_each(${rowsParameter}) sent left join webhook_trials
    on webhook_trials.store_id = sent.value ->> 'storeId' and webhook_trials.host = sent.value ->> 'host'`);

interface UnverifiedHost {
  storeId: number;
  host: string;
}

interface UnverifiedClock extends UnverifiedHost {
  /** Epoch milliseconds; `null` for a host that has not failed. */
  nextAt: number | null;
  /** Failing hosts of the store. */
  hosts: number;
}

const toUnverifiedHost = ({ storeId, url }: LeasedEndpoint): UnverifiedHost => ({
  storeId,
  host: unverifiedHostOf(url),
});

const keyOf = ({ storeId, host }: UnverifiedHost) => `${storeId} ${host}`;

/**
 * Claims each host whose retry is due for one endpoint, and lets all other endpoints of failing
 * hosts wait.
 */
async function claimHosts(
  db: D1Database,
  endpoints: readonly LeasedEndpoint[],
  now: number,
): Promise<void> {
  const byHost = Map.groupBy(endpoints, (endpoint) => keyOf(toUnverifiedHost(endpoint)));
  const hosts = [...byHost.values()].flatMap(([endpoint]) => endpoint ?? []).map(toUnverifiedHost);
  const rows = JSON.stringify(hosts);
  const [claimed, clocks] = await db.batch<UnverifiedClock>([
    claimRetries(db, { rows, now }),
    selectClocks(db, { rows }),
  ]);
  const claimedHosts = new Set(claimed?.results.map(keyOf));
  for (const clock of clocks?.results ?? []) {
    // Only a local deployment sends to its own machine, which is no third party.
    const mayStart =
      clock.hosts < maxUnverifiedHosts || isLoopbackHost(clock.host.replace(/:\d+$/, ''));
    const isFirst = clock.nextAt === null && mayStart;
    const ofHost = byHost.get(keyOf(clock)) ?? [];
    const waiting = ofHost
      .toSorted((a, b) => a.health.consecutiveFailures - b.health.consecutiveFailures)
      .slice(isFirst ? ofHost.length : claimedHosts.has(keyOf(clock)) ? 1 : 0);
    for (const endpoint of waiting) waitUntil(endpoint, clock.nextAt ?? now + otherHostPauseMs);
  }
}

/** Lets an endpoint wait as if it backed off, so that no publish wakes it before. */
function waitUntil(endpoint: LeasedEndpoint, backoffUntil: number): void {
  const consecutiveFailures = Math.max(1, endpoint.health.consecutiveFailures);
  endpoint.health = { ...endpoint.health, consecutiveFailures, backoffUntil };
}

const startClocks = compileSql<{ rows: string }>(sql`
  insert or ignore into webhook_trials (store_id, host, failures, next_at)
  select value ->> 'storeId', value ->> 'host', 1, value ->> 'nextAt' from json_each(${rowsParameter})`);

const endUnverified = compileSql<{ rows: string }>(sql`
  delete from webhook_trials where (store_id, host) in (
    select value ->> 'storeId', value ->> 'host' from json_each(${rowsParameter}))`);

/**
 * Statements for the endpoints that were unverified when they were leased. They start the clock of
 * a host that failed, and delete that of a host that accepted a delivery. None for verified
 * endpoints; a repetition changes nothing.
 */
export function unverifiedStatements(
  db: D1Database,
  endpoints: readonly LeasedEndpoint[],
  now: number,
): D1PreparedStatement[] {
  const tried = endpoints.filter(({ isUnverified, hasSent }) => isUnverified && hasSent);
  const failed = tried.filter(({ provenAt }) => provenAt === null);
  const clocks = failed.map((endpoint) => {
    const earliest = now + (retryDelaysMs[0] ?? 0);
    return {
      ...toUnverifiedHost(endpoint),
      nextAt: Math.max(earliest, endpoint.health.backoffUntil ?? 0),
    };
  });
  const succeeded = tried.filter(({ provenAt }) => provenAt !== null).map(toUnverifiedHost);
  return (
    [
      [startClocks, clocks],
      [endUnverified, succeeded],
    ] as const
  )
    .filter(([, rows]) => rows.length > 0)
    .map(([prepare, rows]) => prepare(db, { rows: JSON.stringify(rows) }));
}
