import { sql } from 'drizzle-orm';
import { rawStatement } from '../../data/core/raw.ts';
import type { Statement } from '../../data/core/statement.ts';
import type { StoreDb } from '../../data/core/store-db.ts';
import {
  ReplayState,
  webhookReplays,
  type ReplayFilter,
} from '../../data/schema/store/webhook-operations-tables.ts';
import { EndpointStatus, webhookEndpoints } from '../../data/schema/store/webhooks-tables.ts';
import { endpointAuditStatement, type Actor } from '../endpoints/audit-endpoint.ts';
import {
  endpointIsVisible,
  hasLogOf,
  logEndpointId,
  type EndpointOwner,
} from '../endpoints/endpoint-access.ts';
import { redeliverStatements, type ReplayedEvent } from './replay-deliveries.ts';

export type ReplayRow = typeof webhookReplays.$inferSelect;

type NewReplay = Pick<ReplayRow, 'filter' | 'cursor' | 'last' | 'total' | 'state'>;

/**
 * Statements that record a replay of an endpoint after the statements `first`. They abort with a
 * `ConflictError` when the caller may no longer see the endpoint. The last one returns the row for
 * {@link toReplayRow}.
 */
export function replayStatements(
  db: StoreDb,
  actor: Actor,
  id: number,
  { filter, cursor, last, total, state }: NewReplay,
  first: readonly Statement[],
): Statement[] {
  const isDone = state === ReplayState.done;
  return [
    db.assert(endpointIsVisible(db, id, actor)),
    ...first,
    endpointAuditStatement(db, 'replayed', id, sql`true`),
    rawStatement(
      db,
      sql`insert into ${webhookReplays}
          (endpoint_id, filter, cursor, last, done, total, state, created_at, done_at)
        values (${id}, ${JSON.stringify(filter)}, ${cursor}, ${last}, ${isDone ? total : 0}, ${total},
          ${state}, ${db.now}, ${isDone ? db.now : null})
        returning *, (select last_seq from ${webhookEndpoints} where id = ${id}) as last_seq,
          (select iif(status <> ${EndpointStatus.active}, 'held', iif(consecutive_failures > 0, max(next_attempt_at, ${db.now}), null))
            from ${webhookEndpoints} where id = ${id}) as waits`,
    ),
  ];
}

/** The same for a replay of one event, which is done at once. */
export function singleReplayStatements(
  db: StoreDb,
  actor: Actor,
  id: number,
  filter: ReplayFilter,
  event: ReplayedEvent,
): Statement[] {
  const adding = redeliverStatements(db.now, [event], sql`${id}`, sql`true`);
  const replay = { filter, cursor: 0, last: 0, total: 1, state: ReplayState.done };
  return replayStatements(
    db,
    actor,
    id,
    replay,
    adding.map((one) => rawStatement(db, one)),
  );
}

/** A replay that was just recorded. */
export type StartedReplay = ReplayRow & {
  /** The newest delivery of the endpoint: of one event, the one that sends it. */
  last_seq: number;
  /**
   * Until when nothing is sent, since the endpoint fails (epoch milliseconds); `held` while it is
   * not active.
   */
  waits: number | 'held' | null;
};

/** Reads the result of the last statement of {@link replayStatements}. */
export function toReplayRow(result: unknown, filter: ReplayFilter): StartedReplay | undefined {
  const [row] = result as (Omit<StartedReplay, 'filter'> & { filter: string })[];
  return row && { ...row, filter };
}

type StoredReplay = Omit<ReplayRow, 'filter'> & { filter: string };

const parseReplay = ({ filter, ...row }: StoredReplay): ReplayRow => ({
  ...row,
  filter: JSON.parse(filter) as ReplayRow['filter'],
});

/**
 * Lists the replays of an endpoint, newest first. `next` is the value of `before` for the next
 * page. Returns `undefined` when the caller may not read them. One round trip.
 */
export async function listReplays(
  db: StoreDb,
  owner: EndpointOwner,
  id: number,
  { limit, before }: { limit: number; before: number | undefined },
): Promise<{ rows: ReplayRow[]; next: number | null } | undefined> {
  const [endpoints, found] = await db.batch([
    db.select(webhookEndpoints, { where: hasLogOf(id, owner) }),
    rawStatement<StoredReplay>(
      db,
      sql`select * from ${webhookReplays} where endpoint_id = ${logEndpointId(db, id, owner)}
        ${before === undefined ? sql`` : sql`and id < ${before}`}
        order by id desc limit ${limit + 1}`,
    ),
  ]);
  if (endpoints.length === 0) return undefined;
  const rows = found.slice(0, limit).map(parseReplay);
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : null };
}

/**
 * Finds a replay of an endpoint. Returns `undefined` when the caller may not read it. One round
 * trip.
 */
export async function findReplay(
  db: StoreDb,
  owner: EndpointOwner,
  id: number,
  replayId: number,
): Promise<ReplayRow | undefined> {
  const [rows] = await db.batch([
    rawStatement<StoredReplay>(
      db,
      sql`select * from ${webhookReplays}
        where endpoint_id = ${logEndpointId(db, id, owner)} and id = ${replayId}`,
    ),
  ]);
  return rows[0] && parseReplay(rows[0]);
}
