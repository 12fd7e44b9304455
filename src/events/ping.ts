import { sql, type SQL } from 'drizzle-orm';
import { rawStatement } from '../db/raw.ts';
import { webhookPings } from '../db/schema/webhook-upkeep.ts';
import { preparatory } from '../db/statement.ts';
import type { StoreDb } from '../db/store.ts';
import type { Settings } from '../settings.ts';
import { localTime } from '../wire/datetime.ts';
import type { Ports } from './clock.ts';
import type { EndpointRow } from './endpoint-changes.ts';
import { signedRequest } from './send-headers.ts';
import { send, type Sent } from './send.ts';
import { signingKeysOf } from './signing-keys.ts';

/** The pause between two pings of one store, in seconds. */
export const pingPauseSeconds = 10;

/** What a ping is sent with. */
export interface PingOutside {
  settings: Settings;
  ports: Ports;
}

/** A statement that takes the store's turn to ping, if `when` holds; it answers with a row when it is its turn. */
export function takePing(db: StoreDb, when: SQL) {
  return preparatory(
    rawStatement<{ store_id: number }>(
      db,
      sql`insert into ${webhookPings} (store_id, at) select ${db.store.id}, ${db.now} where ${when}
        on conflict do update set at = excluded.at
          where ${webhookPings.at} <= ${db.now - pingPauseSeconds * 1000}
        returning store_id`,
    ),
  );
}

/**
 * Sends a signed `ping` to `url` with the endpoint's secrets. It has the headers of a delivery, but sequence
 * number 0: it is no part of the log. Never rejects for what the receiver does.
 */
export async function sendPing(
  db: StoreDb,
  endpoint: EndpointRow,
  url: string,
  { settings, ports }: PingOutside,
): Promise<Sent> {
  const { store } = db;
  const at = ports.now();
  const secrets = await signingKeysOf(endpoint, at, settings.sealingKey);
  const body = JSON.stringify({
    event: 'ping',
    time: localTime(at, store.zone),
    merchant: { id: store.id, alias: store.alias },
    resource: { id: endpoint.id, name: endpoint.name, url },
  });
  const request = await signedRequest({
    serviceName: settings.serviceName,
    secrets,
    endpoint: endpoint.id,
    epoch: endpoint.epoch,
    seq: 0,
    eventId: `ping_${crypto.randomUUID().replaceAll('-', '')}`,
    event: 'ping',
    apiVersion: endpoint.api_version,
    attempt: 1,
    triggeredAt: at,
    at,
    body,
  });
  return send({ url, timeoutMs: endpoint.timeout_ms, ...request }, ports);
}
