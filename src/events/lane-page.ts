/** Bytes of bodies that are in memory for the lanes of one batch. */
export const maxBytes = 4_000_000;

/**
 * A query for deliveries with their events: those of `deliveries` (a query for `seq, event_id, attempts, refusals, due_at,
 * trigger`) whose bodies fit into as many bytes as the parameter `bytes` says. The first is always taken, however large.
 */
export const withBodies = (deliveries: string, bytes: string) => `
  select seq, event_id, attempts, refusals, due_at, trigger, event, body, triggered_at from (
    select d.*, e.event, e.body, e.created_at as triggered_at,
      sum(coalesce(length(e.body), 0)) over (order by d.due_at, d.seq)
        - coalesce(length(e.body), 0) as before
    from (${deliveries}) d left join webhook_events e on e.id = d.event_id
  ) where before < ${bytes} order by due_at, seq`;

/** What a lane is made of, as a statement that takes one answers with it. */
export const laneColumns = `id, store_id, url, api_version, epoch, secret_current, secret_previous,
    secret_previous_until, secret_mode, secret_overlap_ms, last_seq, lease_until, lease_gen, fail_streak,
    fail_count, first_fail_at, last_ok_at, latency_ms, ordered, concurrency, timeout_ms`;
