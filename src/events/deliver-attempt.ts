import type { Settings } from '../settings.ts';
import type { Ports } from './clock.ts';
import type { Tried } from './deliver-settle.ts';
import { refusal } from './destination.ts';
import type { Delivery, Lane } from './lane.ts';
import { outcomeOf } from './outcome.ts';
import { retryAfterMs } from './retry-after.ts';
import { signedRequest } from './send-headers.ts';
import { nothing, send, type Sent } from './send.ts';
import type { SigningKey } from './signing-keys.ts';
import type { SigningSecrets } from './signing-secrets.ts';

/** Tries one delivery. Never rejects for what the receiver does. */
export async function attempt(
  lane: Lane,
  delivery: Delivery,
  settings: Settings,
  ports: Ports,
): Promise<Tried> {
  const host = URL.canParse(lane.url) ? new URL(lane.url).host : '';
  if (!delivery.content || lane.secrets === undefined) {
    const sent = { ...nothing, at: ports.now(), durationMs: 0, error: 'internal' } as const;
    return { sent, outcome: 'unsendable', retryAfterMs: null, host };
  }
  const sent = await sendTo(lane, delivery, delivery.content, lane.secrets, settings, ports);
  const pause = retryAfterMs(sent.headers?.['retry-after'], ports.now());
  return { sent, outcome: outcomeOf(sent, pause), retryAfterMs: pause, host };
}

async function sendTo(
  lane: Lane,
  { seq, eventId, attempts }: Delivery,
  content: NonNullable<Delivery['content']>,
  secrets: SigningSecrets<SigningKey>,
  settings: Settings,
  ports: Ports,
): Promise<Sent> {
  const at = ports.now();
  if (refusal(lane.url, settings) !== undefined) {
    return { ...nothing, at, durationMs: 0, error: 'blocked_url' };
  }
  const objection = await ports.judge?.(lane.shard, lane.url);
  if (objection !== undefined) return { ...nothing, at, durationMs: 0, error: objection };
  const request = await signedRequest({
    ...content,
    serviceName: settings.serviceName,
    secrets,
    endpoint: lane.id,
    epoch: lane.epoch,
    seq,
    eventId,
    apiVersion: lane.apiVersion,
    attempt: attempts + 1,
    at,
  });
  return send({ url: lane.url, timeoutMs: lane.timeoutMs, ...request }, ports);
}
