import { Webhook } from 'standardwebhooks';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';

/** A request at a receiver. */
export interface WebhookArrival {
  headers: Record<string, string>;
  body: string;
  /** Whether the receiver returned 2xx. */
  isAccepted: boolean;
}

/** A switch of the order of an endpoint. */
export interface OrderChange {
  endpoint: number;
  ordered: boolean;
  /** Arrivals before it. */
  at: number;
  /**
   * Deliveries up to this one may have been under way, and arrive in any order, before all others.
   */
  underWayTo: number;
}

export interface Observation {
  db: D1Database;
  /** The endpoints to check. */
  endpoints: readonly { id: number; secret: string }[];
  /** The requests of their receivers in order. Without them, only the database is checked. */
  arrivals?: readonly WebhookArrival[];
  /** When endpoints got and lost their order; those that are not named never changed it. */
  orders?: readonly OrderChange[];
  /** Deliveries (`endpoint-seq`) that may arrive twice. */
  mayRepeat?: ReadonlySet<string>;
  /** Whether all deliveries must have ended. */
  hasEnded?: boolean;
}

interface DeliveryRow {
  endpoint_id: number;
  seq: number;
  state: number;
  due_at: number;
  has_event: number;
}

/**
 * Returns the violations of the invariants I1 to I6 and I8 (src/webhooks/README.md), each with the
 * number first. I7, the rows read and written, has tests of its own.
 */
export async function findViolations(observation: Observation): Promise<string[]> {
  const {
    db,
    endpoints,
    arrivals = [],
    orders = [],
    mayRepeat = new Set(),
    hasEnded = false,
  } = observation;
  const ids = JSON.stringify(endpoints.map(({ id }) => id));
  const [deliveryRows, endpointRows] = await db.batch([
    db
      .prepare(
        `select endpoint_id, seq, state, due_at, exists (select 1 from webhook_events where id = event_id) as has_event
         from webhook_deliveries where endpoint_id in (select value from json_each(?)) order by endpoint_id, seq`,
      )
      .bind(ids),
    db
      .prepare(
        'select id, status, last_seq, ordered, next_attempt_at from webhook_endpoints where id in (select value from json_each(?))',
      )
      .bind(ids),
  ]);
  const byEndpoint = Map.groupBy(
    (deliveryRows?.results ?? []) as DeliveryRow[],
    (row) => row.endpoint_id,
  );
  return ((endpointRows?.results ?? []) as EndpointRow[]).flatMap((endpoint) => {
    const deliveries = byEndpoint.get(endpoint.id) ?? [];
    const received = arrivals.flatMap((arrival, at) =>
      deliveryKey(arrival.headers).startsWith(`${endpoint.id}-`) ? [{ ...arrival, at }] : [],
    );
    const changes = orders.filter((change) => change.endpoint === endpoint.id);
    const secret = endpoints.find(({ id }) => id === endpoint.id)?.secret ?? '';
    return [
      ...databaseViolations(endpoint, deliveries, hasEnded),
      ...arrivalViolations(deliveries, received, mayRepeat),
      ...orderViolations(endpoint, deliveries, received, changes),
      ...(hasEnded ? missingArrivals(endpoint, deliveries, received) : []),
      ...received
        .filter((arrival) => !isGenuine(arrival, secret))
        .map(({ headers }) => `I6 ${deliveryKey(headers)}: not signed with the secret`),
    ];
  });
}

interface EndpointRow {
  id: number;
  status: number;
  last_seq: number;
  ordered: number;
  next_attempt_at: number | null;
}

/** `endpoint-seq` of a request. */
export const deliveryKey = (headers: Record<string, string>): string =>
  Object.entries(headers).find(([name]) => /-delivery-id$/i.test(name))?.[1] ?? '';

function* databaseViolations(
  endpoint: EndpointRow,
  deliveries: readonly DeliveryRow[],
  hasEnded: boolean,
) {
  const open = deliveries.filter(({ state }) => state === DeliveryState.open);
  if (hasEnded && open.length > 0) yield `I1 endpoint ${endpoint.id}: ${open.length} still open`;
  const isContiguous = deliveries.every(({ seq }, index) => seq === index + 1);
  if (!isContiguous || deliveries.length !== endpoint.last_seq) {
    yield `I5 endpoint ${endpoint.id}: ${deliveries.length} deliveries up to ${endpoint.last_seq}`;
  }
  if (
    open.length > 0 &&
    endpoint.status === EndpointStatus.active &&
    endpoint.next_attempt_at === null
  ) {
    yield `I8 endpoint ${endpoint.id}: open deliveries without a next attempt`;
  }
}

function* arrivalViolations(
  deliveries: readonly DeliveryRow[],
  arrivals: readonly WebhookArrival[],
  mayRepeat: ReadonlySet<string>,
) {
  const bySeq = new Map(deliveries.map((row) => [row.seq, row]));
  const accepted = new Set<string>();
  for (const { headers, isAccepted } of arrivals) {
    const key = deliveryKey(headers);
    const seq = Number(key.split('-')[1]);
    if (!bySeq.get(seq)?.has_event) yield `I2 ${key}: sent without a committed event`;
    if (!isAccepted) continue;
    if (accepted.has(key)) {
      if (!mayRepeat.has(key)) yield `I3 ${key}: arrived twice`;
      continue;
    }
    accepted.add(key);
  }
}

/** The order counts for the first time that a delivery is accepted, from the switch on. */
function* orderViolations(
  endpoint: EndpointRow,
  deliveries: readonly DeliveryRow[],
  arrivals: readonly (WebhookArrival & { at: number })[],
  changes: readonly OrderChange[],
) {
  if (endpoint.ordered && deliveries.some(({ state, due_at: at }) => state === 0 && at > 0)) {
    yield `I4 endpoint ${endpoint.id}: a delivery with a time of its own`;
  }
  const accepted = new Set<string>();
  const remaining = [...changes];
  const initially = changes.length > 0 ? false : endpoint.ordered === 1;
  let order = { ordered: initially, underWayTo: 0 };
  let last = 0;
  for (const { headers, isAccepted, at } of arrivals) {
    while (remaining[0] && remaining[0].at <= at) {
      order = remaining.shift()!;
      last = 0;
    }
    const key = deliveryKey(headers);
    if (!isAccepted || accepted.has(key)) continue;
    accepted.add(key);
    const seq = Number(key.split('-')[1]);
    const isLate = seq < last && (seq > order.underWayTo || last > order.underWayTo);
    if (order.ordered && isLate) yield `I4 ${key}: after ${last}`;
    last = Math.max(last, seq);
  }
}

function missingArrivals(
  { id }: EndpointRow,
  deliveries: readonly DeliveryRow[],
  arrivals: readonly WebhookArrival[],
) {
  const accepted = new Set(
    arrivals.flatMap(({ headers, isAccepted }) => (isAccepted ? [deliveryKey(headers)] : [])),
  );
  return deliveries
    .filter(({ state }) => state === DeliveryState.delivered)
    .map(({ seq }) => `${id}-${seq}`)
    .filter((key) => !accepted.has(key))
    .map((key) => `I1 ${key}: recorded as delivered, but never arrived`);
}

/** Uses the library of Standard Webhooks; `test/clients/verifiers.test.ts` has more verifiers. */
function isGenuine({ headers, body }: WebhookArrival, secret: string): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * 1000);
  const expected = new Webhook(secret).sign(headers['webhook-id'] ?? '', at, body);
  return headers['webhook-signature']?.split(' ').includes(expected) ?? false;
}
