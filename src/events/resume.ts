import { and, eq, sql, type SQL } from 'drizzle-orm';
import { isParted } from '../db/grants/parted.ts';
import { rawStatement } from '../db/raw.ts';
import { EndpointStatus, webhookEndpoints } from '../db/schema/webhooks.ts';
import type { Statement } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import { InvalidBody, tooManyRequests } from '../problem.ts';
import { audited, type Actor, type AuditedAction } from './audit.ts';
import { checkDestination } from './destination-check.ts';
import { isVisible, subscribed, visible } from './endpoint-access.ts';
import { changeEndpoint, type EndpointChanges, type EndpointRow } from './endpoint-changes.ts';
import { seqBefore } from './log-position.ts';
import { parted, PartedApp } from './parted-app.ts';
import { pingPauseSeconds, sendPing, takePing, type PingOutside } from './ping.ts';
import { releaseSteps } from './release.ts';
import { UnansweredPing } from './unanswered-ping.ts';

/** Which held deliveries go out: none, all, or those recorded from a moment on (epoch milliseconds). */
export type Release = 'none' | 'all' | { since: number };

/** What an endpoint gets of what it missed, unless it asks for something else: 72 hours. */
const usualMs = 72 * 3_600_000;

interface Resumption {
  /** Without it, 72 hours after an automatic disabling and all after a pause. */
  release?: Release | undefined;
  action: Extract<AuditedAction, 'enabled' | 'resumed'>;
  /** What else changes in the same transaction. */
  changes?: EndpointChanges;
}

/**
 * Makes an endpoint active and lets held deliveries go, the first few at once and the rest by cron; `undefined` when
 * the caller sees none with this id. One whose app is not connected any more stays as it is (`PartedApp`), whoever asks:
 * only the merchant's consent lets that app hear of the store again. One that was disabled automatically must answer a
 * ping first: `UnansweredPing` says that it did not, `InvalidBody` that its URL may not receive, and then nothing
 * changes. Two round trips.
 */
export async function resumeEndpoint(
  db: StoreDb,
  actor: Actor,
  id: number,
  { release: wanted, action, changes = {} }: Resumption,
  outside: PingOutside,
): Promise<EndpointRow | undefined> {
  const isPinged = sql`${isVisible(db, id, actor)} and exists (select 1 from ${webhookEndpoints}
    where id = ${id} and status = ${EndpointStatus.autoDisabled} and not ${isParted(db.now)})`;
  const [[endpoint], turns] = await db.batch([
    db.select(webhookEndpoints, {
      where: and(eq(webhookEndpoints.id, id), visible(actor)),
      extras: { ...subscribed, ...parted(db.now) },
    }),
    takePing(db, isPinged),
  ]);
  if (!endpoint) return undefined;
  if (endpoint.isParted) throw new PartedApp();
  const url = changes.url ?? endpoint.url;
  if (endpoint.status !== EndpointStatus.active) {
    const reason = await checkDestination(url, outside.settings, outside.ports);
    if (reason !== undefined) throw new InvalidBody({ url: [reason] });
  }
  if (endpoint.status === EndpointStatus.autoDisabled) {
    if (turns.length === 0) throw tooManyRequests(pingPauseSeconds);
    const sent = await sendPing(db, endpoint, url, outside);
    if (sent.error !== null) throw new UnansweredPing(sent);
  }
  const usual = endpoint.status === EndpointStatus.paused ? 'all' : { since: db.now - usualMs };
  const release = wanted ?? usual;
  const row = await changeEndpoint(db, actor, id, changes, [
    // What was checked and pinged is what becomes active.
    db.must(sql`exists (select 1 from ${webhookEndpoints}
      where id = ${id} and store_id = ${db.store.id} and status = ${endpoint.status} and url = ${url}
        and not ${isParted(db.now)})`),
    ...activation(db, actor, id, { release, action }),
  ]);
  if (row) db.wake([id]);
  return row;
}

function activation(
  db: StoreDb,
  actor: Actor,
  id: number,
  { release, action }: { release: Release; action: Resumption['action'] },
): Statement[] {
  const isInactive = sql`status <> ${EndpointStatus.active}`;
  const changing =
    action === 'resumed'
      ? sql`true`
      : sql`exists (select 1 from ${webhookEndpoints} where id = ${id} and ${isInactive})`;
  return [
    audited(db, actor, action, id, changing),
    rawStatement(
      db,
      sql`update ${webhookEndpoints} set status = ${EndpointStatus.active}, updated_at = ${db.now},
          fail_streak = 0, fail_count = 0, first_fail_at = null, warn_level = 0, wake_at = ${db.now}
        where id = ${id} and ${isInactive}`,
    ),
    rawStatement(
      db,
      sql`update ${webhookEndpoints} set release_from = ${firstOf(id, release)} where id = ${id}`,
    ),
    ...releaseSteps(id, db.now).map((step) => rawStatement(db, step)),
  ];
}

function firstOf(id: number, release: Release): SQL | number | null {
  if (release === 'none') return null;
  return release === 'all' ? 0 : seqBefore(sql`${id}`, release.since);
}
