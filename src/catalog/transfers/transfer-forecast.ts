import { sql } from 'drizzle-orm';
import { computedNumber } from '../../data/queries/relations.ts';
import { transfers } from '../../data/schema/store/transfers-tables.ts';
import { isFinished, type Transfer } from './transfer-job.ts';

/** The causes for which an unfinished transfer does not go on at the moment. */
export const transferWaits = ['earlier', 'worker', 'event_budget', 'retry'] as const;

/** A computed column: the unfinished transfers of the same kind and store that go first. */
export const earlierExtras = {
  earlier: computedNumber(sql`(select count(*) from ${transfers} first
    where first.store_id = ${transfers.store_id} and first.kind = ${transfers.kind}
      and first.id < ${transfers.id} and first.due_at is not null)`),
};

/** A transfer with what {@link forecastOf} needs. */
export type RankedTransfer = Transfer & { earlier?: number };

/**
 * The cause and the begin of a wait, the speed of a transfer since it began, and how long it still
 * takes at that speed.
 */
export interface Forecast {
  waits_for: (typeof transferWaits)[number] | null;
  waits_since: number | null;
  per_second: number | null;
  seconds_left: number | null;
}

export function forecastOf(transfer: RankedTransfer, now: number): Forecast {
  const { created_at, updated_at, started_at, finished_at, done, total } = transfer;
  const waits_for = waitOf(transfer, now);
  const isQueued = waits_for === 'earlier' || waits_for === 'worker';
  const ms = started_at === null ? 0 : (finished_at ?? updated_at) - started_at;
  const rate = ms > 0 && done > 0 ? (done * 1_000) / ms : undefined;
  return {
    waits_for,
    waits_since: waits_for === null ? null : isQueued ? created_at : updated_at,
    per_second: rate === undefined ? null : Math.round(rate * 10) / 10,
    seconds_left:
      rate === undefined || isFinished(transfer)
        ? null
        : Math.max(1, Math.ceil((total - done) / rate)),
  };
}

function waitOf(transfer: RankedTransfer, now: number): Forecast['waits_for'] {
  const { state, reason, due_at, earlier = 0 } = transfer;
  if (due_at === null) return null;
  if (earlier > 0) return 'earlier';
  if (reason === 'event_budget') return 'event_budget';
  if (due_at > now) return 'retry';
  return state === 'waiting' ? 'worker' : null;
}
