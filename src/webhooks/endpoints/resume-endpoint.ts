import { and, eq, sql, type SQL } from 'drizzle-orm';
import { hourMs } from '../../base/durations.ts';
import { ValidationError, tooManyRequests } from '../../base/errors.ts';
import { rawStatement } from '../../data/core/raw.ts';
import { retryInTurns } from '../../data/core/retry-contention.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { EndpointStatus, webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';
import { checkUrl } from '../check-url.ts';
import { firstSeqAt } from '../log/seq-range.ts';
import { endpointAuditStatement, type Actor, type AuditedAction } from './audit-endpoint.ts';
import { endpointIsVisible, subscriptionExtras, isVisibleTo } from './endpoint-access.ts';
import { assertMayReceive, consentExtras, mayReceiveAll } from './endpoint-consent.ts';
import {
  pingPolicy,
  sendPing,
  reservePingStatement,
  type PingContext,
  PingFailedError,
} from './ping.ts';
import { proveStatements, tryNowStatements } from './prove-endpoint.ts';
import { releaseStatements } from './release-deliveries.ts';
import { updateEndpoint, type EndpointChanges, type ChangedEndpoint } from './update-endpoint.ts';

/**
 * The held deliveries to release: none, all, or those recorded since a time (epoch milliseconds).
 */
export type ReleaseRange = 'none' | 'all' | { since: number };

/** Default range of a release. */
const defaultReleaseMs = 72 * hourMs;

interface ResumeOptions {
  /**
   * Default: the last 72 hours after an automatic disabling, all after a pause; what is under way
   * for an active one.
   */
  release?: ReleaseRange | undefined;
  action: Extract<AuditedAction, 'enabled' | 'resumed'>;
  /** Only makes the next attempt of an active endpoint: any other one stays as it is. */
  isTrial?: boolean;
  /** Further changes in the same transaction. */
  changes?: EndpointChanges;
}

/**
 * Activates an endpoint and releases held deliveries, the first ones at once and the rest by the
 * sweep. The next attempt of one that is active is made at once when it is `resumed`. Returns
 * `undefined` when the caller may not see it. Two round trips. Each of these errors changes
 * nothing:
 *
 * - `AppDisconnectedError`: only a new consent of the merchant gives the app events of the store
 *   again.
 * - a 403 that names a scope: the app may not receive one of the events of the endpoint.
 * - `PingFailedError`: an endpoint that was disabled automatically must first respond to a ping.
 * - `ValidationError`: the URL policy rejects the URL.
 * - a 429 within ten seconds of the last ping of the store, if a ping is needed. To try an
 *   unverified endpoint counts as one.
 */
export function resumeEndpoint(
  db: StoreDb,
  actor: Actor,
  id: number,
  options: ResumeOptions,
  context: PingContext,
): Promise<ChangedEndpoint | undefined> {
  const pinged = new Set<string>();
  return retryInTurns(db, [webhookEndpoints, id], () =>
    tryResume(db, actor, id, options, { ...context, pinged }),
  );
}

/** URLs that responded to a ping: a further attempt does not send another one. */
interface ResumeContext extends PingContext {
  pinged: Set<string>;
}

async function tryResume(
  db: StoreDb,
  actor: Actor,
  id: number,
  { release: requested, action, isTrial = false, changes = {} }: ResumeOptions,
  context: ResumeContext,
): Promise<ChangedEndpoint | undefined> {
  const isTried = isTrial || action === 'resumed';
  const isUnverified = sql`(status = ${EndpointStatus.active} and proven_at is null and consecutive_failures > 0)`;
  const needsPing = sql`${endpointIsVisible(db, id, actor)} and exists (select 1 from ${webhookEndpoints}
    where id = ${id} and ${mayReceiveAll(changes.events, db.now)}
      and (status = ${EndpointStatus.autoDisabled} ${isTried ? sql`or ${isUnverified}` : sql``}))`;
  const [[endpoint], pings] = await db.batch([
    db.select(webhookEndpoints, {
      where: and(eq(webhookEndpoints.id, id), isVisibleTo(actor)),
      extras: { ...subscriptionExtras, ...consentExtras(db.now) },
    }),
    reservePingStatement(db, needsPing),
  ]);
  if (!endpoint || (isTrial && endpoint.status !== EndpointStatus.active)) return undefined;
  assertMayReceive(endpoint, changes.events ?? endpoint.events);
  const url = changes.url ?? endpoint.url;
  const isActive = endpoint.status === EndpointStatus.active;
  const isDisabled = endpoint.status === EndpointStatus.autoDisabled;
  if (!isActive) {
    const message = await checkUrl(url, context.settings, context.deps);
    if (message !== undefined) throw new ValidationError({ url: [message] });
  }
  const isFirstTrial =
    isActive && isTried && endpoint.proven_at === null && endpoint.consecutive_failures > 0;
  if ((isDisabled || isFirstTrial) && !context.pinged.has(url)) {
    if (pings.length === 0) throw tooManyRequests(pingPolicy);
    const response = isDisabled ? await sendPing(db, endpoint, url, context) : undefined;
    if (response && response.error !== null) throw new PingFailedError(response);
    context.pinged.add(url);
  }
  const defaultRange =
    endpoint.status === EndpointStatus.paused ? 'all' : { since: db.now - defaultReleaseMs };
  const release = requested ?? (isActive ? undefined : defaultRange);
  const row = await updateEndpoint(db, actor, id, changes, [
    // The endpoint, the URL and the consent are still those that were checked and pinged.
    db.assert(sql`exists (select 1 from ${webhookEndpoints}
      where id = ${id} and store_id = ${db.store.id} and status = ${endpoint.status} and url = ${url}
        and ${mayReceiveAll(undefined, db.now)})`),
    ...activationStatements(db, actor, id, { release, action }),
    ...(isActive && isTried ? tryNowStatements(db, id, url) : []),
    ...(isDisabled ? proveStatements(db, id, url) : []),
  ]);
  if (row) db.wakeEndpoints([id]);
  return row;
}

function activationStatements(
  db: StoreDb,
  actor: Actor,
  id: number,
  { release, action }: { release: ReleaseRange | undefined; action: ResumeOptions['action'] },
): Statement[] {
  const isInactive = sql`status <> ${EndpointStatus.active}`;
  const isAudited =
    action === 'resumed'
      ? sql`true`
      : sql`exists (select 1 from ${webhookEndpoints} where id = ${id} and ${isInactive})`;
  return [
    endpointAuditStatement(db, action, id, isAudited),
    rawStatement(
      db,
      sql`update ${webhookEndpoints} set status = ${EndpointStatus.active}, updated_at = ${db.now},
          consecutive_failures = 0, failure_count = 0, first_failure_at = null, warning_level = 0, next_attempt_at = ${db.now}
        where id = ${id} and ${isInactive}`,
    ),
    ...(release === undefined
      ? []
      : [
          sql`update ${webhookEndpoints} set resume_from_seq = ${firstSeqOf(id, release)} where id = ${id}`,
          ...releaseStatements(id, db.now),
        ]
    ).map((statement) => rawStatement(db, statement)),
  ];
}

function firstSeqOf(id: number, release: ReleaseRange): SQL | number | null {
  if (release === 'none') return null;
  return release === 'all' ? 0 : firstSeqAt(sql`${id}`, release.since);
}
