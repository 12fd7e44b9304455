import { createExecutionContext, createMessageBatch, getQueueResult } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { seal } from '../../src/crypto/seal.ts';
import type { Ports } from '../../src/events/clock.ts';
import { eventIdAt } from '../../src/events/event-id.ts';
import type { Hint } from '../../src/events/hints.ts';
import { consumeHints } from '../../src/events/hints-consumer.ts';
import { newSecret } from '../../src/events/signature.ts';
import { settingsOf } from '../../src/settings.ts';
import { judgeArrival, judgeLane } from './judged.ts';
import { hintsTo } from './queues.ts';

export const start = Date.UTC(2026, 0, 1);
export const db = env.STORE_0;

export interface Wanted {
  events?: number;
  status?: number;
  concurrency?: number;
  timeoutMs?: number;
  ordered?: boolean;
  url?: string;
  body?: string;
}

/** An endpoint with open deliveries, due since `start`. Its receiver is whatever `fetch` a test injects. */
export async function lane(wanted: Wanted = {}) {
  const store = Math.floor(Math.random() * 2 ** 40);
  const secret = newSecret();
  const sealed = await seal(settingsOf(env).sealingKey, secret, `webhook-secret:${store}`);
  const events = wanted.events ?? 1;
  const row = await db
    .prepare(
      `insert into webhook_endpoints (store_id, url, url_folded, name, name_folded, status, secret_current,
         last_seq, wake_at, ordered, concurrency, timeout_ms, created_at, updated_at)
       values (?1, ?2, ?2, 'n', 'n', ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?6, ?6) returning id`,
    )
    .bind(
      store,
      wanted.url ?? 'https://receiver.example/hooks?token=1',
      wanted.status ?? 0,
      sealed,
      events,
      start,
      wanted.ordered ? 1 : 0,
      wanted.concurrency ?? 2,
      wanted.timeoutMs ?? 5_000,
    )
    .first<{ id: number }>();
  const id = row?.id ?? 0;
  const body = wanted.body ?? '{"event":"order.paid","merchant":{"id":1,"alias":"loja"}}';
  const ids = eventIdAt(store, start);
  const numbered = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${events})`;
  await db.batch([
    db
      .prepare(`insert into webhook_events (id, store_id, event, body, created_at)
      ${numbered} select '${ids}' || printf('%020x', i), ${store}, 'order.paid', ?1, ${start} from n`)
      .bind(body),
    db.prepare(`insert into webhook_deliveries (endpoint_id, seq, event_id, state, due_at, created_at)
      ${numbered} select ${id}, i, '${ids}' || printf('%020x', i), 0, 0, ${start} from n`),
  ]);
  judgeLane(id, secret);
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

export type Receiver = (request: Request, index: number) => Response | Promise<Response>;

interface Manner {
  seesOverdue?: boolean;
  /** Gets what a run leaves to its context; without it nothing is left. */
  waitUntil?: (work: Promise<unknown>) => void;
}

/** The database, in which a run finds no lanes but those that it was called for: other tests leave overdue ones. */
export const hintedLanesOnly = (batch: D1Database['batch'] = (all) => db.batch(all)) => ({
  prepare: (text: string) => db.prepare(text.replace(/order by wake_at limit \d+/, 'limit 0')),
  batch,
});

/**
 * A consumer with its own clock, receiver and queue. `batch` replaces the database's. Other tests leave overdue lanes
 * in the database; only one that `seesOverdue` looks after them.
 */
export function consumer(
  receive: Receiver,
  batch: D1Database['batch'] = (all) => db.batch(all),
  { seesOverdue = false, waitUntil }: Manner = {},
) {
  const requests: Request[] = [];
  const hints: { endpoint: number; delaySeconds: number | undefined }[] = [];
  const calls: { queue: string; body: Hint }[] = [];
  const clock = { now: start };
  const ports: Ports = {
    now: () => clock.now,
    random: () => 0,
    fetch: async (url, init) => {
      const request = new Request(url, init);
      requests.push(request.clone());
      const arrival = {
        headers: Object.fromEntries(request.headers),
        body: new TextDecoder().decode(init.body as Uint8Array),
        isAccepted: false,
      };
      judgeArrival(arrival);
      const response = await receive(request, requests.length - 1);
      arrival.isAccepted = response.ok;
      return response;
    },
  };
  const queues = new Map<number, string>();
  const queue = (name: string) => ({
    sendBatch: (messages: MessageSendRequest<Hint>[]) => {
      for (const { body, delaySeconds } of messages) {
        if (body.help) calls.push({ queue: name, body });
        else hints.push({ endpoint: body.endpoint, delaySeconds });
        if (!body.help) queues.set(body.endpoint, name);
      }
      return Promise.resolve();
    },
  });
  const shard = seesOverdue
    ? { prepare: (text: string) => db.prepare(text), batch }
    : hintedLanesOnly(batch);
  const world = { ...env, ...hintsTo(queue), STORE_0: shard } as unknown as Env;
  return {
    requests,
    hints,
    /** What was asked of other consumers, and through which queues. */
    calls,
    /** Which queue last took a hint for an endpoint. */
    queues,
    clock,
    ids: () => requests.map((request) => request.headers.get('webhook-id')),
    async handle(...bodies: unknown[]) {
      const messages = bodies.map((body, index) => ({
        id: `${index}`,
        timestamp: new Date(start),
        attempts: 1,
        body,
      }));
      const hinted = createMessageBatch('webhook-fast-0', messages);
      const context = createExecutionContext();
      // What the runtime reports of a batch leaves the delay out.
      let delaySeconds: number | undefined;
      const watched = {
        queue: hinted.queue,
        messages: hinted.messages,
        metadata: hinted.metadata,
        ackAll: () => hinted.ackAll(),
        retryAll: (options?: QueueRetryOptions) => {
          delaySeconds = options?.delaySeconds;
          hinted.retryAll(options);
        },
      };
      await consumeHints(watched, world, ports, waitUntil && { waitUntil });
      return { ...(await getQueueResult(hinted, context)), delaySeconds };
    },
    drain(...endpoints: number[]) {
      return this.handle(...endpoints.map((endpoint) => ({ v: 1, shard: 0, endpoint })));
    },
  };
}

export const ok: Receiver = () => new Response('ok');
export const hangs: Receiver = () => new Promise<Response>(() => undefined);
