import type { Settings } from '../../base/settings.ts';
import { signRequest } from '../signature.ts';
import { validateUrl } from '../url-rules.ts';
import type { AttemptResult } from './apply-result.ts';
import type { DeliveryDeps } from './deps.ts';
import { noResponse, sendWebhook, type WebhookResponse } from './http.ts';
import type { DueDelivery, LeasedEndpoint } from './leased-endpoint.ts';
import { classifyOutcome, parseRetryAfter } from './outcome.ts';

/** The fields of an endpoint and of a delivery that an attempt needs. */
type Receiver = Pick<
  LeasedEndpoint,
  'shard' | 'id' | 'url' | 'apiVersion' | 'epoch' | 'timeoutMs' | 'secrets' | 'provenAt'
>;
type Message = Pick<DueDelivery, 'seq' | 'eventId' | 'attempts' | 'content'>;

/** Attempts one delivery. Never rejects because of the receiver. */
export async function attemptDelivery(
  endpoint: Receiver,
  delivery: Message,
  settings: Settings,
  deps: DeliveryDeps,
): Promise<AttemptResult> {
  const host = URL.canParse(endpoint.url) ? new URL(endpoint.url).host : '';
  const response = await signAndSend(endpoint, delivery, settings, deps);
  if (!response) {
    const failure = { ...noResponse, at: deps.now(), durationMs: 0, error: 'internal' } as const;
    return { response: failure, outcome: 'unsendable', retryAfterMs: null, host };
  }
  const retryAfterMs = parseRetryAfter(response.headers?.['retry-after'], deps.now());
  const outcome = classifyOutcome(response, retryAfterMs);
  // A receiver that has never accepted anything rejects more than this payload.
  const isRejectedUnverified = endpoint.provenAt === null && outcome === 'payload_rejected';
  return {
    response,
    outcome: isRejectedUnverified ? 'endpoint_failure' : outcome,
    retryAfterMs,
    host,
  };
}

/** Returns `undefined` when the event or a secret is missing. */
async function signAndSend(
  { shard, id, url, apiVersion, epoch, timeoutMs, secrets }: Receiver,
  { seq, eventId, attempts, content }: Message,
  settings: Settings,
  deps: DeliveryDeps,
): Promise<WebhookResponse | undefined> {
  if (!content || !secrets) return undefined;
  const at = deps.now();
  const isInvalid = validateUrl(url, settings) !== undefined;
  const error = isInvalid ? 'blocked_url' : await deps.checkHost?.(shard, url);
  if (error !== undefined) return { ...noResponse, at, durationMs: 0, error };
  const request = await signRequest({
    ...content,
    serviceName: settings.serviceName,
    secrets,
    endpoint: id,
    epoch,
    seq,
    eventId,
    apiVersion,
    attempt: attempts + 1,
    at,
  });
  return sendWebhook({ url, timeoutMs, ...request }, deps);
}
