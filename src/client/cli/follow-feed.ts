import { setTimeout as sleep } from 'node:timers/promises';
import type { ForwardedEvent } from './forward.ts';
import type { CallApi } from './store-steps.ts';

const pollMs = 1_000;

interface FeedPage {
  data: ({ id: string; event: string; changed?: string[] } & Record<string, unknown>)[];
  meta: { pagination: { links: { next: string } } };
}

/** Thrown into a wait that Ctrl-C ends. */
export const isInterruption = (error: unknown): boolean =>
  error instanceof Error && error.name === 'AbortError';

/**
 * Follows the feed of events of a store, from the first event that a webhook recorded. Ends when
 * `signal` aborts. It reads the start from the log of the webhook, because the feed itself begins
 * 30 days ago.
 */
export async function* followFeed(
  call: CallApi,
  webhookId: number,
  names: readonly string[],
  signal: AbortSignal,
): AsyncGenerator<ForwardedEvent> {
  const first = await firstDelivery(call, webhookId, signal);
  if (!first) return;
  yield first;
  let after = first.id;
  const filter = names.map((name) => `&event[]=${encodeURIComponent(name)}`).join('');
  while (!signal.aborted) {
    const page = await call<FeedPage>(`GET /events?limit=100&after_id=${after}${filter}`);
    for (const { id, changed, ...event } of page.data) {
      yield { id, event: event.event, changed, body: JSON.stringify(event) };
    }
    // A page of selected names can be empty and yet continue.
    const { next: nextUrl } = page.meta.pagination.links;
    const next = nextUrl && new URL(nextUrl).searchParams.get('after_id');
    after = next || (page.data.at(-1)?.id ?? after);
    if (!next) await sleep(pollMs, undefined, { signal });
  }
}

interface LogPage {
  data: { seq: number }[];
}

async function firstDelivery(
  call: CallApi,
  webhookId: number,
  signal: AbortSignal,
): Promise<ForwardedEvent | undefined> {
  while (!signal.aborted) {
    const { data } = await call<LogPage>(`GET /webhooks/${webhookId}/deliveries?limit=1`);
    if (data.length > 0) {
      const { data: first } = await call<{
        data: { event_id: string; event: string; changed: string[] | null; body: string };
      }>(`GET /webhooks/${webhookId}/deliveries/1`);
      const { event_id: id, event, changed, body } = first;
      return { id, event, changed, body };
    }
    await sleep(pollMs, undefined, { signal });
  }
  return undefined;
}
