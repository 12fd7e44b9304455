import { eq, sql } from 'drizzle-orm';
import { seal } from '../crypto/seal.ts';
import type { Shard } from '../db/open.ts';
import { rawStatement } from '../db/raw.ts';
import { ReplayState } from '../db/schema/webhook-upkeep.ts';
import { DeliveryState, EndpointStatus, webhookEndpoints } from '../db/schema/webhooks.ts';
import type { Statement } from '../db/statement.ts';
import type { Store, StoreDb } from '../db/store.ts';
import { newEventId } from '../events/event-id.ts';
import { waitAfter } from '../events/schedule.ts';
import { newSecret } from '../events/signature.ts';
import { localTime } from '../wire/datetime.ts';
import { handle } from './handle.ts';
import { demoLog, type DemoDelivery } from './webhook-log.ts';

const name = 'ERP (paused)';
const hour = 3_600_000;
const week = 7 * 24 * hour;
const tookMs = 85;
const lastOkHoursAgo = Math.min(
  ...demoLog.filter(({ state }) => state === 'delivered').map(({ hoursAgo }) => hoursAgo),
);

/**
 * Adds a webhook with a log to read, unless the store has it. It is paused, as nobody answers at its address. All of
 * it is one transaction.
 */
export async function notify(
  store: Store,
  shard: Shard,
  { now, sealingKey }: { now: number; sealingKey: string },
): Promise<void> {
  const db = handle(store, shard, now);
  const [known] = await db.batch([
    db.select(webhookEndpoints, { where: eq(webhookEndpoints.name, name) }),
  ]);
  if (known.length > 0) return;
  const events = demoLog.map(({ hoursAgo }) => newEventId(store.id, now - hoursAgo * hour));
  const secret = await seal(sealingKey, newSecret(), `webhook-secret:${store.id}`);
  await db.batch([
    db.insertion(webhookEndpoints, {
      url: 'https://erp.loja.test/hooks/catalogue',
      name,
      status: EndpointStatus.paused,
      secret_current: secret,
      last_seq: demoLog.length,
    }),
    rawStatement(
      db,
      sql`update webhook_endpoints set created_at = ${now - week},
          last_ok_at = ${now - lastOkHoursAgo * hour + tookMs}
        where id = ${endpointOf(db)}`,
    ),
    ...[...new Set(demoLog.map(({ event }) => event))].map((event) =>
      rawStatement(
        db,
        sql`insert into webhook_subscriptions (store_id, event, endpoint_id)
          values (${store.id}, ${event}, ${endpointOf(db)})`,
      ),
    ),
    ...demoLog.flatMap((one, at) =>
      entry(db, one, { seq: at + 1, event: events[(one.replayOf ?? at + 1) - 1] ?? '' }),
    ),
  ]);
}

const endpointOf = (db: StoreDb) =>
  sql`(select id from webhook_endpoints where store_id = ${db.store.id} and name = ${name})`;

/** The statements that put one delivery into the log, with its event, its tries and, if it is one, its replay. */
function entry(
  db: StoreDb,
  one: DemoDelivery,
  { seq, event }: { seq: number; event: string },
): Statement[] {
  const { id: store, alias, zone } = db.store;
  const at = db.now - one.hoursAgo * hour;
  const body = JSON.stringify({
    event: one.event,
    time: localTime(at, zone),
    merchant: { id: store, alias },
    resource: { name: one.product },
  });
  const tries = triesOf(one, at);
  const last = tries.at(-1);
  const doneAt = one.state === 'held' || !last ? null : last.at + tookMs;
  const statements = [
    sql`insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, attempts, trigger,
        replay_of, code, error, duration_ms, created_at, done_at)
      values (${endpointOf(db)}, ${seq}, ${event}, ${DeliveryState[one.state]}, 0, ${tries.length},
        ${one.replayOf === undefined ? 'event' : 'replay'}, ${one.replayOf ?? null}, ${last?.code ?? null},
        ${last?.error ?? null}, ${last ? tookMs : null}, ${at}, ${doneAt})`,
    ...(tries.length > 1 ? tries : []).map(
      (
        one,
      ) => sql`insert into webhook_attempts (endpoint_id, seq, number, at, code, error, duration_ms,
          response_headers, response_body, host)
        values (${endpointOf(db)}, ${seq}, ${one.number}, ${one.at}, ${one.code}, ${one.error}, ${tookMs},
          '{"content-type":"text/plain"}', ${one.answer}, 'erp.loja.test')`,
    ),
    one.replayOf === undefined
      ? sql`insert into webhook_events (id, store_id, event, body, created_at)
          values (${event}, ${store}, ${one.event}, ${body}, ${at})`
      : sql`insert into webhook_replays (endpoint_id, filter, cursor, last, done, total, state, created_at, done_at)
          values (${endpointOf(db)}, ${JSON.stringify({ seq: one.replayOf })}, 0, 0, 1, 1,
            ${ReplayState.done}, ${at}, ${at})`,
  ];
  return statements.map((statement) => rawStatement(db, statement));
}

/** The tries as the attempts table has them, the documented steps apart. */
function triesOf({ tries }: DemoDelivery, start: number) {
  let at = start;
  return tries.map(({ code, answer }, index) => {
    if (index > 0) at += waitAfter(index, () => 0);
    const error = code < 300 ? null : code < 500 ? 'http_4xx' : 'http_5xx';
    const snippet = { text: answer, encoding: 'utf-8', truncated: false };
    return { number: index + 1, at, code, error, answer: JSON.stringify(snippet) };
  });
}
