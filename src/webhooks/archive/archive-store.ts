import { sql } from 'drizzle-orm';
import { dayMs, hourMs, minuteMs, budgetDay } from '../../base/durations.ts';
import { log } from '../../base/log.ts';
import { settingsOf } from '../../base/settings.ts';
import { afterEventIds, eventIdFrom, eventOrder, eventPrefix } from '../../data/core/event-id.ts';
import { prepareSql } from '../../data/core/raw.ts';
import { isHere, isHereSql } from '../../data/schema/store/placement-tables.ts';
import type { SweepContext } from '../../data/sweep-task.ts';
import { archiveKey, packBodies } from './archive-object.ts';

/**
 * Limits of one object: events, bytes of bodies (the last one may exceed them), and the time
 * between its events.
 */
const maxEvents = 500;
const maxBytes = 2_000_000;
const maxSpanMs = 3 * dayMs;

/**
 * How long bodies of a store beyond its event budget stay in the database: most are delivered by
 * then.
 */
const pressedBodyMs = 10 * minuteMs;

/**
 * How long after the expiry of its last event an object is checked for its deletion. A database may
 * be restored to a moment 30 days ago, and needs its bodies then. The purge visits a store every
 * six hours.
 */
const keptBehindMs = 30 * dayMs + 12 * hourMs;

/** A store that is due. */
interface ArchiveStep {
  store: number;
  /** Id of the last event whose body was archived; empty before the first. */
  archivedTo: string;
  /** The last day of UTC on which the store recorded bytes. */
  day: number;
  /** The bytes of that day. */
  bytes: number;
  /** The budget of the store itself; null for that of the service. */
  budget: number | null;
}

interface ArchiveWork {
  archive: Pick<R2Bucket, 'put'>;
  db: D1Database;
  /** How long bodies stay in the database, and events that are delivered. */
  bodyMs: number;
  eventMs: number;
  /** Bytes of a day beyond which bodies are archived after `pressedBodyMs`. */
  eventBudget: number;
}

/** Events of a store between two ids, oldest first. */
const between = (after: string, before: string) => sql`
  from webhook_events where id > ${after} and id < ${before} order by id`;

const selectWaiting = (after: string, before: string) => sql`
  select count(*) as events, coalesce(sum(bytes), 0) as bytes from (
    select octet_length(body) as bytes ${between(after, before)} limit ${maxEvents})`;

// Reads no body behind the limit of bytes.
const selectChunk = (after: string, before: string) => sql`
  with waiting as materialized (
    select id, coalesce(octet_length(body), 0) as bytes ${between(after, before)} limit ${maxEvents}),
  summed as (select id, sum(bytes) over (order by id rows unbounded preceding) - bytes as before from waiting)
  select webhook_events.id, webhook_events.body from summed join webhook_events on webhook_events.id = summed.id
  where summed.before < ${maxBytes} order by webhook_events.id`;

/**
 * Stores the next bodies of a store as one object, and then takes them out of the database. Or, if
 * an object would be small and its events are young, only decides when to check again. Two or three
 * round trips.
 */
async function archiveNext(work: ArchiveWork, step: ArchiveStep, now: number): Promise<void> {
  const { db } = work;
  const isPressed = step.bytes > (step.budget ?? work.eventBudget) && step.day === budgetDay(now);
  const bodyMs = isPressed ? Math.min(work.bodyMs, pressedBodyMs) : work.bodyMs;
  const after = step.archivedTo || eventPrefix(step.store);
  const cutoff = eventIdFrom(step.store, now - bodyMs);
  const [firsts, waiting] = await db.batch<{ id: string } & WaitingBodies>([
    prepareSql(db, sql`select id ${between(after, afterEventIds(step.store))} limit 1`),
    prepareSql(db, selectWaiting(after, cutoff)),
  ]);
  const first = firsts?.results[0]?.id;
  const size = waiting?.results[0] ?? { events: 0, bytes: 0 };
  const pauseMs = isPressed ? minuteMs : hourMs;
  const next = nextStep(first, size, { bodyMs, now, day: step.day, pauseMs });
  if (next === 'now' && first !== undefined) {
    const end = eventIdFrom(step.store, Math.min(now - bodyMs, eventOrder(first) + maxSpanMs));
    return await storeObject(work, step, { after, end, now });
  }
  await prepareSql(
    db,
    sql`update event_budgets set archive_at = ${next} where ${isUnchanged(step)}`,
  ).run();
}

interface WaitingBodies {
  events: number;
  bytes: number;
}

/**
 * When to check a store again: now, if its bodies fill an object or the first one has waited long
 * enough. Else when that will be so at the rate of its events; never (null), if it has no event any
 * more.
 */
function nextStep(
  first: string | undefined,
  { events, bytes }: WaitingBodies,
  { bodyMs, now, day, pauseMs }: { bodyMs: number; now: number; day: number; pauseMs: number },
): number | null | 'now' {
  if (first === undefined) return (day + 1) * dayMs + bodyMs > now ? now + bodyMs : null;
  const since = eventOrder(first);
  if (events === 0) return Math.max(since + bodyMs, now + 1);
  const deadline = since + bodyMs + maxSpanMs;
  if (events >= maxEvents || bytes >= maxBytes || deadline <= now) return 'now';
  const msPerEvent = (now - bodyMs - since) / events;
  return Math.ceil(Math.min(deadline, now + Math.max(pauseMs, msPerEvent * (maxEvents - events))));
}

/** The condition makes a second sweep, or one that comes too late, change nothing. */
const isUnchanged = ({ store, archivedTo }: ArchiveStep) =>
  sql`store_id = ${store} and archived_to = ${archivedTo} and ${isHere(store)}`;

/**
 * Stores an object, and once the bucket has confirmed it, records it and clears the bodies in one
 * transaction.
 */
async function storeObject(
  { archive, db, eventMs }: ArchiveWork,
  step: ArchiveStep,
  { after, end, now }: { after: string; end: string; now: number },
): Promise<void> {
  const { results } = await prepareSql(db, selectChunk(after, end)).all<{
    id: string;
    body: string | null;
  }>();
  const last = results.at(-1)?.id;
  if (last === undefined) return;
  const stored = results.flatMap(({ id, body }) => (body === null ? [] : [{ id, body }]));
  const moveOn = prepareSql(
    db,
    sql`update event_budgets set archived_to = ${last}, archive_at = ${now} where ${isUnchanged(step)}`,
  );
  const [first] = stored;
  if (!first) {
    await moveOn.run();
    return;
  }
  const { content, places } = packBodies(stored);
  const key = await archiveKey(first.id, content);
  const object = await archive.put(key, content);
  if (object?.size !== content.length) throw new Error(`incomplete object ${key}`);
  const expiresAt = eventOrder(last) + eventMs + keptBehindMs;
  const isStep = sql`exists (select 1 from event_budgets where ${isUnchanged(step)})`;
  await db.batch([
    prepareSql(
      db,
      sql`insert into webhook_archives (key, store_id, last_id, expires_at)
        select ${key}, ${step.store}, ${last}, ${expiresAt} where ${isStep}`,
    ),
    prepareSql(
      db,
      sql`update webhook_events set body = null, archive_offset = place.offset, archive_bytes = place.bytes
        from (select value ->> 'id' as id, value ->> 'offset' as offset, value ->> 'bytes' as bytes
          from json_each(${JSON.stringify(places)})) place
        where webhook_events.id = place.id and body is not null and ${isStep}`,
    ),
    moveOn,
  ]);
}

/**
 * Steps of one run at most. Each costs two calls of the database, or three and one of the bucket if
 * it stores an object.
 */
export const maxStepsPerRun = 100;

/** Stores that one query for due ones returns. */
const storesPerQuery = 20;

/** Stores that may fail in a run; beyond that the bucket is probably down. */
const maxFailures = 3;

const selectDue = (now: number) => sql`
  select store_id as store, archived_to as archivedTo, day, bytes, budget from event_budgets
  where archive_at <= ${now} and ${isHereSql('event_budgets.store_id')}
  order by archive_at limit ${storesPerQuery}`;

/**
 * Moves bodies of events that are older than `BODY_DAYS` to the archive, in steps round-robin by
 * store. Those of a store beyond its event budget after minutes. If a run dies in between, each
 * body is in the database or in a stored object. Returns the number of steps.
 */
export async function archiveBodies({
  env,
  shard,
  db,
  now,
  hasTime,
}: SweepContext): Promise<number> {
  const { eventBudget, retention } = settingsOf(env);
  const { bodyMs, deliveredEventMs: eventMs } = retention;
  const work = { archive: env.ARCHIVE, db, bodyMs, eventMs, eventBudget };
  let steps = 0;
  let failures = 0;
  const mayGoOn = () => hasTime() && steps < maxStepsPerRun;
  while (failures === 0 && mayGoOn()) {
    const { results } = await prepareSql(db, selectDue(now())).all<ArchiveStep>();
    if (results.length === 0) break;
    for (const step of results) {
      if (!mayGoOn() || failures === maxFailures) break;
      steps += 1;
      try {
        await archiveNext(work, step, now());
      } catch (error) {
        failures += 1;
        const message = error instanceof Error ? error.message.slice(0, 300) : '';
        log('error', 'event_archive_failed', { alert: true, shard, store: step.store, message });
      }
    }
  }
  return steps;
}
