import { sql } from 'drizzle-orm';
import { dayMs } from '../../base/durations.ts';
import { answerTooLarge, HttpError, maxAnswerBytes } from '../../base/errors.ts';
import { afterEventIds, eventIdFrom } from '../../data/core/event-id.ts';
import { rawStatement } from '../../data/core/raw.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import { eventNames, type EventName } from '../../data/grants/event-catalogue.ts';
import { webhookEvents } from '../../data/schema/store/webhooks-tables.ts';
import { bodyBytes, bodyColumns, type BodyColumns } from '../archive/archive-columns.ts';
import { loadBodies } from '../archive/read-archive.ts';

/** Retention of events in the feed. */
const feedRetentionMs = 30 * dayMs;

/** Maximum number of events that one request scans for selected names. */
export const maxFeedScan = 1_000;

interface FeedQuery {
  /** Id of the last event that the caller knows. Without it, the feed starts at its beginning. */
  afterId: string | undefined;
  names: readonly EventName[];
  limit: number;
}

interface RecordedEvent {
  id: string;
  /** The body that receivers get, as JSON text. */
  body: string;
  /** See `webhookEvents`. */
  changed: string | null;
}

interface FeedRow extends BodyColumns, Pick<RecordedEvent, 'id' | 'changed'> {
  /** 0 if the page would be larger than an answer may be. */
  fits: 0 | 1 | null;
}

/**
 * Reads the events of a store after `afterId`, in the order of recording. `continueAfter` is the id
 * to go on from, if there may be more. It can be an event of another name when the scan limit was
 * reached. Throws a 400 when the feed does not hold the event `afterId`, and for a page that would
 * be larger than an answer may be. One round trip, and one to the archive for older events.
 */
export async function readFeed(db: StoreDb, { afterId, names, limit }: FeedQuery) {
  const { store, now } = db;
  const beginning = eventIdFrom(store.id, now - feedRetentionMs);
  const end = afterEventIds(store.id);
  const isFiltered = names.length < eventNames.length;
  const scanLimit = isFiltered ? maxFeedScan : limit;
  const scan = sql`select id, event, ${bodyBytes('webhook_events')} as bytes from ${webhookEvents}
    where id > ${afterId ?? beginning} and id < ${end} order by id limit ${scanLimit + 1}`;
  const page = isFiltered
    ? sql`scanned as materialized (${scan}), page as materialized (select id, bytes from scanned
        where event in (select value from json_each(${JSON.stringify(names)})) order by id limit ${limit + 1})`
    : sql`page as materialized (${scan})`;
  const isHeld =
    afterId === undefined
      ? sql`true`
      : sql`exists (select 1 from ${webhookEvents}
          where id = ${afterId} and id > ${beginning} and id < ${end})`;
  const [[scanned], found] = await db.batch([
    rawStatement<{ is_held: 0 | 1; total: number; last: string | null }>(
      db,
      sql`with scanned as materialized (${scan}) select ${isHeld} as is_held, count(*) as total,
        (select id from scanned order by id limit 1 offset ${scanLimit - 1}) as last from scanned`,
    ),
    rawStatement<FeedRow>(
      db,
      sql`with ${page}, size as materialized (select sum(bytes) <= ${maxAnswerBytes} as fits from page)
        select page.id, fits, webhook_events.changed, ${bodyColumns('webhook_events')} from page cross join size
        left join ${webhookEvents} on webhook_events.id = page.id and fits order by page.id`,
    ),
  ]);
  if (scanned?.is_held !== 1) {
    throw new HttpError('invalid_query', {
      errors: { after_id: ['Must be an event of the last 30 days.'] },
    });
  }
  const shown = found.slice(0, limit);
  if (shown.some(({ fits }) => fits === 0)) throw answerTooLarge();
  const bodies = await loadBodies(db.archive, shown);
  const rows = shown.flatMap(({ id, changed }, index): RecordedEvent[] => {
    const body = bodies[index];
    return typeof body === 'string' ? [{ id, body, changed }] : [];
  });
  if (found.length > limit) return { rows, continueAfter: shown.at(-1)?.id };
  return {
    rows,
    continueAfter: scanned.total > scanLimit ? (scanned.last ?? undefined) : undefined,
  };
}
