import { Webhook } from 'standardwebhooks';
import { DeliveryState, EndpointStatus } from '../../src/db/schema/webhooks.ts';

/** One request that a receiver got. */
export interface Arrival {
  headers: Record<string, string>;
  body: string;
  /** Whether the receiver answered with 2xx. */
  isAccepted: boolean;
}

export interface Observed {
  db: D1Database;
  /** The endpoints to look at. */
  endpoints: readonly { id: number; secret: string }[];
  /** What their receivers got, in order; without it only the database is judged. */
  arrivals?: readonly Arrival[];
  /** Deliveries, as `endpoint-seq`, that may arrive twice: those of cases marked D in webhooks 3.17. */
  mayRepeat?: ReadonlySet<string>;
  /** Whether everything is over, so that nothing may be open. */
  isOver?: boolean;
}

interface Row {
  endpoint_id: number;
  seq: number;
  state: number;
  has_event: number;
}

/**
 * What breaks the invariants of webhooks 4, as sentences that begin with their number: I1 to I6 and I8. I7, the rows
 * read and written, is measured where only one thing happens at a time.
 */
export async function violations(observed: Observed): Promise<string[]> {
  const { db, endpoints, arrivals = [], mayRepeat = new Set(), isOver = false } = observed;
  const ids = JSON.stringify(endpoints.map(({ id }) => id));
  const [rows, lanes] = await db.batch([
    db
      .prepare(
        `select endpoint_id, seq, state, exists (select 1 from webhook_events where id = event_id) as has_event
         from webhook_deliveries where endpoint_id in (select value from json_each(?)) order by endpoint_id, seq`,
      )
      .bind(ids),
    db
      .prepare(
        'select id, status, last_seq, ordered, wake_at from webhook_endpoints where id in (select value from json_each(?))',
      )
      .bind(ids),
  ]);
  const byEndpoint = Map.groupBy((rows?.results ?? []) as Row[], (row) => row.endpoint_id);
  return ((lanes?.results ?? []) as Lane[]).flatMap((lane) => {
    const deliveries = byEndpoint.get(lane.id) ?? [];
    const mine = arrivals.filter(({ headers }) => keyOf(headers).startsWith(`${lane.id}-`));
    const secret = endpoints.find(({ id }) => id === lane.id)?.secret ?? '';
    return [
      ...ofLane(lane, deliveries, isOver),
      ...ofArrivals(lane, deliveries, mine, mayRepeat),
      ...(isOver ? neverArrived(lane, deliveries, mine) : []),
      ...mine.filter((one) => !isGenuine(one, secret)).map((one) => `I6 ${keyOf(one.headers)}`),
    ];
  });
}

interface Lane {
  id: number;
  status: number;
  last_seq: number;
  ordered: number;
  wake_at: number | null;
}

/** `endpoint-seq` of a request. */
export const keyOf = (headers: Record<string, string>): string =>
  Object.entries(headers).find(([name]) => /-delivery-id$/i.test(name))?.[1] ?? '';

function* ofLane(lane: Lane, deliveries: readonly Row[], isOver: boolean) {
  const open = deliveries.filter(({ state }) => state === DeliveryState.open);
  if (isOver && open.length > 0) yield `I1 lane ${lane.id}: ${open.length} still open`;
  const isContiguous = deliveries.every(({ seq }, index) => seq === index + 1);
  if (!isContiguous || deliveries.length !== lane.last_seq) {
    yield `I5 lane ${lane.id}: ${deliveries.length} deliveries up to ${lane.last_seq}`;
  }
  if (open.length > 0 && lane.status === EndpointStatus.active && lane.wake_at === null) {
    yield `I8 lane ${lane.id}: open, and nothing will wake it`;
  }
}

function* ofArrivals(
  lane: Lane,
  deliveries: readonly Row[],
  arrivals: readonly Arrival[],
  mayRepeat: ReadonlySet<string>,
) {
  const bySeq = new Map(deliveries.map((row) => [row.seq, row]));
  const accepted = new Set<string>();
  let last = 0;
  for (const { headers, isAccepted } of arrivals) {
    const key = keyOf(headers);
    const seq = Number(key.split('-')[1]);
    if (!bySeq.get(seq)?.has_event) yield `I2 ${key}: sent without a committed event`;
    if (!isAccepted) continue;
    if (accepted.has(key)) {
      if (!mayRepeat.has(key)) yield `I3 ${key}: arrived twice`;
      continue;
    }
    accepted.add(key);
    if (lane.ordered && seq < last) yield `I4 ${key}: after ${last}`;
    last = seq;
  }
}

function neverArrived({ id }: Lane, deliveries: readonly Row[], arrivals: readonly Arrival[]) {
  const accepted = new Set(
    arrivals.flatMap(({ headers, isAccepted }) => (isAccepted ? [keyOf(headers)] : [])),
  );
  return deliveries
    .filter(({ state }) => state === DeliveryState.delivered)
    .map(({ seq }) => `${id}-${seq}`)
    .filter((key) => !accepted.has(key))
    .map((key) => `I1 ${key}: recorded as delivered, and never arrived`);
}

/** By a verifier that is not ours; `test/process/verifiers.test.ts` has more of them. */
function isGenuine({ headers, body }: Arrival, secret: string): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const made = new Webhook(secret).sign(headers['webhook-id'] ?? '', at, body);
  return headers['webhook-signature']?.split(' ').includes(made) ?? false;
}
