import { Webhook } from 'standardwebhooks';
import { DeliveryState, EndpointStatus } from '../../../src/data/schema/store/webhooks-tables.ts';

/** A request at a receiver. */
export interface WebhookArrival {
  headers: Record<string, string>;
  body: string;
  /** Whether the receiver returned 2xx. */
  isAccepted: boolean;
}

export interface Observation {
  db: D1Database;
  /** The endpoints to check. */
  endpoints: readonly { id: number; secret: string }[];
  /** The requests of their receivers in order. Without them, only the database is checked. */
  arrivals?: readonly WebhookArrival[];
  /** Deliveries (`endpoint-seq`) that may arrive twice. */
  mayRepeat?: ReadonlySet<string>;
  /** Whether all deliveries must have ended. */
  hasEnded?: boolean;
}

interface DeliveryRow {
  endpoint_id: number;
  seq: number;
  state: number;
  has_event: number;
}

/**
 * Returns the violations of the invariants I1 to I6 and I8 (src/webhooks/README.md), each with the number first. I7, the
 * rows read and written, has tests of its own.
 */
export async function findViolations(observation: Observation): Promise<string[]> {
  const { db, endpoints, arrivals = [], mayRepeat = new Set(), hasEnded = false } = observation;
  const ids = JSON.stringify(endpoints.map(({ id }) => id));
  const [deliveryRows, endpointRows] = await db.batch([
    db
      .prepare(
        `select endpoint_id, seq, state, exists (select 1 from webhook_events where id = event_id) as has_event
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
    const received = arrivals.filter(({ headers }) =>
      deliveryKey(headers).startsWith(`${endpoint.id}-`),
    );
    const secret = endpoints.find(({ id }) => id === endpoint.id)?.secret ?? '';
    return [
      ...databaseViolations(endpoint, deliveries, hasEnded),
      ...arrivalViolations(endpoint, deliveries, received, mayRepeat),
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
  endpoint: EndpointRow,
  deliveries: readonly DeliveryRow[],
  arrivals: readonly WebhookArrival[],
  mayRepeat: ReadonlySet<string>,
) {
  const bySeq = new Map(deliveries.map((row) => [row.seq, row]));
  const accepted = new Set<string>();
  let last = 0;
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
    if (endpoint.ordered && seq < last) yield `I4 ${key}: after ${last}`;
    last = seq;
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
