import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { seal } from '../../../src/base/crypto/seal.ts';
import { settingsOf } from '../../../src/base/settings.ts';
import { eventIdFrom } from '../../../src/data/core/event-id.ts';
import type { QueueMessage } from '../../../src/data/queues.ts';
import type { DeliveryDeps } from '../../../src/webhooks/delivery/deps.ts';
import { createSecret } from '../../../src/webhooks/signature.ts';
import { handleWakeups } from '../../../src/webhooks/wakeup-handler.ts';
import { placementsStatement } from '../fixtures/shards.ts';
import { trackRequest, trackEndpoint } from './tracked.ts';
import { wakeupBindings } from './wakeup-queues.ts';
import '../fixtures/first-shard.ts';

export const startTime = Date.UTC(2026, 0, 1);
export const db = env.STORE_0;

export interface EndpointOptions {
  events?: number;
  status?: number;
  concurrency?: number;
  timeoutMs?: number;
  ordered?: boolean;
  url?: string;
  body?: string;
  /** No delivery has ever succeeded. */
  isUnproven?: boolean;
  /** Store of the endpoint; a new one when absent. */
  store?: number;
}

/**
 * Inserts an endpoint with open deliveries, due at `startTime`. Its receiver is the one of
 * {@link createConsumer}.
 */
export async function insertEndpoint(options: EndpointOptions = {}) {
  const store = options.store ?? Math.floor(Math.random() * 2 ** 40);
  const secret = createSecret();
  const sealed = await seal(settingsOf(env).sealingKeys, secret, `webhook-secret:${store}`);
  const events = options.events ?? 1;
  const row = await db
    .prepare(
      `insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, status, secret_current,
         last_seq, next_attempt_at, ordered, concurrency, timeout_ms, proven_at, created_at, updated_at)
       values (?1, ?2, ?2, 'n', 'n', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?6, ?6) returning id`,
    )
    .bind(
      store,
      options.url ?? 'https://receiver.example/hooks?token=1',
      options.status ?? 0,
      sealed,
      events,
      startTime,
      options.ordered ? 1 : 0,
      options.concurrency ?? 2,
      options.timeoutMs ?? 5_000,
      options.isUnproven ? null : startTime,
    )
    .first<{ id: number }>();
  const id = row?.id ?? 0;
  const body = options.body ?? '{"event":"order.paid","merchant":{"id":1,"alias":"loja"}}';
  const ids = eventIdFrom(store, startTime);
  const numbered = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${events})`;
  await db.batch([
    placementsStatement(db, store),
    db
      .prepare(`insert or ignore into webhook_events (id, store_id, event, body, created_at)
      ${numbered} select '${ids}' || printf('%020x', i), ${store}, 'order.paid', ?1, ${startTime} from n`)
      .bind(body),
    db.prepare(`insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
      ${numbered} select ${id}, i, '${ids}' || printf('%020x', i), 0, 0, ${startTime} from n`),
  ]);
  trackEndpoint(id, secret);
  return {
    id,
    secret,
    eventId: (seq: number) => ids + seq.toString(16).padStart(20, '0'),
    async endpoint() {
      return db.prepare('select * from webhook_endpoints where id = ?').bind(id).first();
    },
    async deliveries() {
      const all = db.prepare('select * from webhook_deliveries where endpoint_id = ? order by seq');
      return (await all.bind(id).all()).results;
    },
    async attempts() {
      const all = db.prepare(
        'select * from webhook_attempts where endpoint_id = ? order by seq, number',
      );
      return (await all.bind(id).all()).results;
    },
  };
}

export type ReceiverHandler = (request: Request, index: number) => Response | Promise<Response>;

interface ConsumerOptions {
  /** Also delivers for overdue endpoints, of which other tests leave some. */
  seesOverdue?: boolean;
  /** Receives detached runs; without it no run is detached. */
  waitUntil?: (work: Promise<unknown>) => void;
  /** Replaces the archive. */
  archive?: DeliveryDeps['archive'];
  /** Replaces the database of the second shard. */
  secondShard?: D1Database;
}

/** The database, in which a run finds no overdue endpoints: other tests leave some. */
export const withoutOverdueEndpoints = (batch: D1Database['batch'] = (all) => db.batch(all)) => ({
  prepare: (text: string) =>
    db.prepare(text.replace(/order by next_attempt_at limit \d+/, 'limit 0')),
  batch,
});

/**
 * Creates a consumer with its own clock, receiver and queues. `batch` replaces that of the
 * database.
 */
export function createConsumer(
  receive: ReceiverHandler,
  batch: D1Database['batch'] = (all) => db.batch(all),
  {
    seesOverdue = false,
    waitUntil,
    archive = env.ARCHIVE,
    secondShard = env.STORE_1,
  }: ConsumerOptions = {},
) {
  const requests: Request[] = [];
  const wakeups: { endpoint: number; delaySeconds: number | undefined }[] = [];
  const joinRequests: { queue: string; body: QueueMessage<'webhook-fast'> }[] = [];
  const clock = { now: startTime };
  const deps: DeliveryDeps = {
    now: () => clock.now,
    random: () => 0,
    archive,
    fetch: async (url, init) => {
      const request = new Request(url, init);
      requests.push(request.clone());
      const arrival = {
        headers: Object.fromEntries(request.headers),
        body: new TextDecoder().decode(init.body as Uint8Array),
        isAccepted: false,
      };
      trackRequest(arrival);
      const response = await receive(request, requests.length - 1);
      arrival.isAccepted = response.ok;
      return response;
    },
  };
  const queues = new Map<number, string>();
  const queue = (name: string) => ({
    sendBatch: (messages: MessageSendRequest<QueueMessage<'webhook-fast'>>[]) => {
      for (const { body, delaySeconds } of messages) {
        if (body.join) joinRequests.push({ queue: name, body });
        else wakeups.push({ endpoint: body.endpoint, delaySeconds });
        if (!body.join) queues.set(body.endpoint, name);
      }
      return Promise.resolve();
    },
  });
  const shard = seesOverdue
    ? { prepare: (text: string) => db.prepare(text), batch }
    : withoutOverdueEndpoints(batch);
  const bindings = {
    ...env,
    ...wakeupBindings(queue),
    STORE_0: shard,
    STORE_1: secondShard,
  } as unknown as Env;
  return {
    requests,
    wakeups,
    /** Invitations to other workers, with their queues. */
    joinRequests,
    /** The queue of the last wake-up of each endpoint. */
    queues,
    clock,
    ids: () => requests.map((request) => request.headers.get('webhook-id')),
    async handle(...bodies: unknown[]) {
      const messages = bodies.map((body, index) => ({
        id: `${index}`,
        timestamp: new Date(startTime),
        attempts: 1,
        body,
      }));
      const batchOfMessages = createMessageBatch('webhook-fast-0', messages);
      const context = createExecutionContext();
      // The result that the runtime reports has no delay.
      let delaySeconds: number | undefined;
      const watched = {
        queue: batchOfMessages.queue,
        messages: batchOfMessages.messages,
        metadata: batchOfMessages.metadata,
        ackAll: () => batchOfMessages.ackAll(),
        retryAll: (options?: QueueRetryOptions) => {
          delaySeconds = options?.delaySeconds;
          batchOfMessages.retryAll(options);
        },
      };
      await handleWakeups(watched, bindings, deps, waitUntil && { waitUntil });
      return { ...(await getQueueResult(batchOfMessages, context)), delaySeconds };
    },
    /** Handles a wake-up for each endpoint. */
    deliver(...endpoints: number[]) {
      return this.handle(...endpoints.map((endpoint) => ({ v: 1, shard: 0, endpoint })));
    },
  };
}

export const respondOk: ReceiverHandler = () => new Response('ok');
export const neverRespond: ReceiverHandler = () => new Promise<Response>(() => undefined);
