import { env } from 'cloudflare:workers';
import { Browser } from './browser.ts';
import { fillLog, webhookOf } from './log.ts';
import { store, type TestStore } from './store.ts';

/** A merchant who is signed in, with a webhook and as many delivered events in its log. */
export async function merchantWithWebhook({ count = 1 }: { count?: number } = {}) {
  const own = await store();
  const id = await webhookOf(own);
  if (count > 0) await fillLog(own, id, { count });
  const browser = await new Browser().signedIn(own.userId);
  return { own, id, browser, path: pathOf(own, id) };
}

/** The page about a webhook. */
export const pathOf = ({ alias }: TestStore, id: number) => `/account/webhooks/${alias}/${id}`;

/** Changes columns of a webhook behind the back of the service, as time and receivers would. */
export async function setWebhook(id: number, columns: Record<string, number | string | null>) {
  const set = Object.keys(columns).map((name, at) => `${name} = ?${at + 2}`);
  await env.STORE_0.prepare(`update webhook_endpoints set ${set.join(', ')} where id = ?1`)
    .bind(id, ...Object.values(columns))
    .run();
}

/** Puts a notice to the merchant beside a webhook. */
export async function notice({ id: storeId }: TestStore, id: number, kind: string, at: number) {
  await env.STORE_0.prepare(
    'insert into webhook_notices (store_id, endpoint_id, kind, at) values (?, ?, ?, ?)',
  )
    .bind(storeId, id, kind, at)
    .run();
}
