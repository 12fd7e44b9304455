import { sql, type SQL } from 'drizzle-orm';
import type { AuditChanges } from '../schema/columns.ts';
import { audit } from '../schema/directory/account-tables.ts';
import { storeAudit } from '../schema/store/audit-tables.ts';
import { payments } from '../schema/store/payments-tables.ts';
import { EndpointStatus, webhookEndpoints } from '../schema/store/webhooks-tables.ts';
import type { AuditActor, AuditTargetKind } from './action.ts';

/**
 * Where a line is stored: in the directory, or with the data of the store. Part of its id and its
 * place.
 */
export const auditSources = { directory: 'd', store: 's' } as const;

type AuditSource = (typeof auditSources)[keyof typeof auditSources];

/** A line as it is read. */
export interface AuditRow {
  id: number;
  at: number;
  actor_kind: AuditActor['kind'];
  actor_id: string;
  actor_name: string;
  action: string;
  target_kind: AuditTargetKind;
  target_id: string;
  /**
   * The name of a user, a key or an app, or the address of an invitation; null for others, and when
   * it is gone.
   */
  target_name: string | null;
  /** Whether the target still exists: known for webhooks only. */
  is_target_live: 0 | 1 | null;
  reason: string | null;
  /** JSON of {@link AuditChanges}. */
  changes: string;
  country: string | null;
  network: string | null;
}

/** The place of a line in a list that runs from the newest on. */
export interface AuditPlace {
  at: number;
  source: AuditSource;
  id: number;
}

/** A query for lines of the audit. Times are epoch milliseconds; `to` is exclusive. */
export interface AuditQuery {
  limit: number;
  after?: AuditPlace | undefined;
  actorKind?: string | undefined;
  actorId?: string | undefined;
  /** The kind of the target. */
  kind?: string | undefined;
  action?: string | undefined;
  from?: number | undefined;
  to?: number | undefined;
}

/** Lines that a page with a filter reads in each source: matching lines may be rare. */
const filteredWindow = 500;

const hasFilter = ({ actorKind, actorId, kind, action }: AuditQuery) =>
  [actorKind, actorId, kind, action].some((value) => value !== undefined);

/**
 * Returns how many lines of each source a page reads. One more than it shows reveals whether there
 * are further ones.
 */
const windowSize = (query: AuditQuery) =>
  hasFilter(query) ? Math.max(filteredWindow, query.limit + 1) : query.limit + 1;

/**
 * Orders lines from the newest on; of those at the same time, the ones of the directory come first.
 */
const comparePlaces = (one: AuditPlace, other: AuditPlace) =>
  other.at - one.at ||
  (one.source < other.source ? -1 : Number(one.source > other.source)) ||
  other.id - one.id;

/** SQL of the next lines of one source, newest first. */
export function windowSql(source: AuditSource, scope: SQL, query: AuditQuery): SQL {
  const { after, from = 0, to = Number.MAX_SAFE_INTEGER } = query;
  const isDirectory = source === auditSources.directory;
  const name = isDirectory
    ? sql`case target_kind when 'user' then (select name from users where id = target_id)
        when 'api_key' then (select name from api_keys where id = target_id)
        when 'invitation' then (select email from invitations where id = target_id) end`
    : sql`case target_kind when 'webhook' then (
        select name from ${webhookEndpoints} where id = target_id)
        when 'payment_configuration' then (select name from ${payments}
          where ${payments.store_id} = ${storeAudit.store_id} and alias = target_id) end`;
  const isLive = isDirectory
    ? sql`null`
    : sql`case target_kind when 'webhook' then exists (
        select 1 from ${webhookEndpoints} where id = target_id and status <> ${EndpointStatus.deleted}) end`;
  return sql`select id, at, actor_kind, actor_id, actor_name, action, target_kind, target_id,
      ${name} as target_name, ${isLive} as is_target_live, reason, changes, country, network
    from ${isDirectory ? audit : storeAudit}
    where ${scope} and at >= ${from} and at < ${to} ${after ? sql`and ${isAfter(source, after)}` : sql``}
    order by at desc, id desc limit ${windowSize(query)}`;
}

function isAfter(source: AuditSource, { at, source: of, id }: AuditPlace): SQL {
  if (source === of) return sql`(at, id) < (${at}, ${id})`;
  return source > of ? sql`at <= ${at}` : sql`at < ${at}`;
}

/** A line with its place. */
export type PlacedRow = AuditRow & { source: AuditSource };

/** The next lines of a source, as {@link windowSql} selects them. */
export interface AuditWindow {
  source: AuditSource;
  rows: readonly AuditRow[];
}

/**
 * Merges the next lines of all sources to a page, newest first. `next` is the place to go on after,
 * `undefined` at the end. With a filter, a page may have fewer lines than `limit` although there is
 * a next one.
 */
export function mergeWindows(
  windows: readonly AuditWindow[],
  query: AuditQuery,
): { rows: PlacedRow[]; next: AuditPlace | undefined } {
  const size = windowSize(query);
  // Beyond the last line of a full window, that source has lines that were not read.
  const ends = windows.flatMap(({ source, rows }): AuditPlace[] => {
    const last = rows.at(-1);
    return last && rows.length >= size ? [{ at: last.at, source, id: last.id }] : [];
  });
  const end = ends.toSorted(comparePlaces)[0];
  const found = windows
    .flatMap(({ source, rows }) => rows.map((row): PlacedRow => ({ ...row, source })))
    .filter((row) => matches(row, query) && (!end || comparePlaces(row, end) <= 0))
    .toSorted(comparePlaces);
  const rows = found.slice(0, query.limit);
  const last = rows.at(-1);
  if (found.length > query.limit && last) {
    return { rows, next: { at: last.at, source: last.source, id: last.id } };
  }
  return { rows, next: end };
}

const matches = (row: AuditRow, { actorKind, actorId, kind, action }: AuditQuery) =>
  (actorKind === undefined || row.actor_kind === actorKind) &&
  (actorId === undefined || row.actor_id === actorId) &&
  (kind === undefined || row.target_kind === kind) &&
  (action === undefined || row.action === action);

/** The changes of a line. */
export const changesOf = ({ changes }: Pick<AuditRow, 'changes'>) =>
  JSON.parse(changes) as AuditChanges;

/** The changes without the addresses of people: only that they changed. */
export const withoutAddresses = (changes: AuditChanges): AuditChanges =>
  changes['email'] ? { ...changes, email: [null, 'changed'] } : changes;

/** Writes a place as a cursor. */
export const formatPlace = ({ at, source, id }: AuditPlace) => `${at}${source}${id}`;

/** Reads a cursor; `undefined` for any other text. */
export function parsePlace(text: string): AuditPlace | undefined {
  const [, at, source, id] = /^(\d{1,15})([ds])(\d{1,15})$/.exec(text) ?? [];
  if (at === undefined || id === undefined) return undefined;
  return { at: Number(at), source: source === 'd' ? 'd' : 's', id: Number(id) };
}

/**
 * Hides which operator acted. It comes before the filter, so that no filter tells operators apart.
 */
export const hideOperator = (row: AuditRow): AuditRow =>
  row.actor_kind === 'operator'
    ? { ...row, actor_id: 'service', actor_name: '', country: null, network: null }
    : row;
