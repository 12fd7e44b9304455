import { Browser } from '../browser/browser.ts';
import { databaseOfId } from '../fixtures/shards.ts';
import { createTestStore, type TestStore } from '../fixtures/store.ts';
import { fillDeliveryLog, createTestWebhook } from './delivery-log.ts';

/** Signs in a merchant with a webhook that has `count` delivered events in its log. */
export async function signInWithWebhook({ count = 1 }: { count?: number } = {}) {
  const own = await createTestStore();
  const id = await createTestWebhook(own);
  if (count > 0) await fillDeliveryLog(own, id, { count });
  const browser = await new Browser().signIn(own.userId);
  return { own, id, browser, path: webhookPagePath(own, id) };
}

/** Returns the path of the page of a webhook. */
export const webhookPagePath = ({ alias }: TestStore, id: number) =>
  `/account/webhooks/${alias}/${id}`;

/** Sets columns of a webhook directly in the database. */
export async function setEndpointColumns(
  id: number,
  columns: Record<string, number | string | null>,
) {
  const assignments = Object.keys(columns).map((name, index) => `${name} = ?${index + 2}`);
  await databaseOfId(id)
    .prepare(`update webhook_endpoints set ${assignments.join(', ')} where id = ?1`)
    .bind(id, ...Object.values(columns))
    .run();
}

/** Inserts a notice about a webhook. */
export async function insertNotice(
  { id: storeId }: TestStore,
  id: number,
  kind: string,
  at: number,
) {
  await databaseOfId(id)
    .prepare('insert into webhook_notices (store_id, endpoint_id, kind, at) values (?, ?, ?, ?)')
    .bind(storeId, id, kind, at)
    .run();
}
