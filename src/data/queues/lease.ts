import { sql, type SQL } from 'drizzle-orm';

/**
 * A lease of the rows of a table: the exclusive right of one worker to work on a row until a time. Only an endpoint may be
 * shared by workers that join its lease (`webhooks/lease/share.ts`). It is never extended: a worker that needs longer releases it and leaves the rest. The lease of a worker that died expires at that
 * time, and another worker continues.
 */
interface Lease {
  table: string;
  key: string;
  /** The column with the end of the lease in epoch milliseconds; 0, or a time that has passed, while the row is free. */
  until: string;
  /** The column with the time from which a row is due; null while it is not. */
  due: string;
}

/** All leases. The time at which a lease ends identifies it; endpoints also have a number that grows with each lease. */
export const leases = {
  endpoints: {
    table: 'webhook_endpoints',
    key: 'id',
    until: 'lease_until',
    due: 'next_attempt_at',
  },
  appWebhooks: { table: 'app_webhooks', key: 'client_id', until: 'leased_until', due: 'next_at' },
  mails: { table: 'mails', key: 'id', until: 'leased_until', due: 'due_at' },
  jobs: { table: 'jobs', key: 'id', until: 'leased_until', due: 'due_at' },
  /** One row for a shard, which exists after the first lease. */
  transfers: { table: 'transfer_turns', key: 'id', until: 'until', due: '0' },
} satisfies Record<string, Lease>;

/** A value, or SQL such as a numbered parameter. */
export type Value = number | string | SQL;

/** The condition that a row is due, and free at `now`. */
export const isLeasable = ({ until, due }: Lease, now: Value): SQL =>
  sql`${sql.raw(until)} <= ${now} and ${sql.raw(due)} <= ${now}`;

/** The condition that this is the row of a key, and that its lease is the one that ends at `end`. */
export const isLeased = ({ key, until }: Lease, id: Value, end: Value): SQL =>
  sql`${sql.raw(key)} = ${id} and ${sql.raw(until)} = ${end}`;

/** The assignment that releases a row. */
export const release = ({ until }: Lease): SQL => sql`${sql.raw(until)} = 0`;

interface Acquisition {
  /** Epoch milliseconds. */
  now: Value;
  /** The end of the lease. */
  end: Value;
  /** A further condition. */
  where?: SQL;
  /** At most so many rows, those that are due for longest. Without it, all that fulfil the conditions. */
  limit?: Value;
  /** Further assignments. */
  set?: SQL;
  returning: SQL;
}

/** The statement that leases rows that are due and free. Of concurrent ones, each row goes to one. */
export function acquire(lease: Lease, { now, end, where, limit, set, returning }: Acquisition) {
  const [table, key, until, due] = [lease.table, lease.key, lease.until, lease.due].map((name) =>
    sql.raw(name),
  );
  const isWanted = sql`${isLeasable(lease, now)}${where && sql` and ${where}`}`;
  const rows =
    limit === undefined
      ? isWanted
      : sql`${key} in (select ${key} from ${table} where ${isWanted} order by ${due} limit ${limit})`;
  return sql`update ${table} set ${until} = ${end}${set && sql`, ${set}`} where ${rows} returning ${returning}`;
}
