import { getTableColumns, inArray, sql } from 'drizzle-orm';
import { formatLocalTime } from '../codecs/time/local-time.ts';
import { withDbErrors } from '../db/core/errors.ts';
import { openDatabase, type Database } from '../db/core/open.ts';
import { recordAppEvents, type AppEvent } from '../db/directory/app-deliveries.ts';
import { findAppNames, type AppIdentity } from '../db/directory/apps.ts';
import { stores } from '../db/schema/directory.ts';
import { storeAudit } from '../db/schema/store/audit.ts';
import { storeNotices } from '../db/schema/store/notices.ts';
import { appEventBody, type AppEventName } from '../events/app-events.ts';
import { createEventId } from '../events/event-id.ts';
import { log } from '../log.ts';
import { settingsOf } from '../settings.ts';
import type { SweepContext } from '../sweep-task.ts';
import type { MailData, MailKind } from './kinds.ts';
import { insertMailToMembers, prepareMail } from './outbox.ts';
import { wakeMail } from './wake.ts';

/** Notices of one run. */
export const maxNotices = 50;

/** Of a line of the audit, which the notice was made of: why an app was disconnected. */
const reasonSql = sql<string | null>`(select reason from ${storeAudit}
  where ${storeAudit.id} = cast(substr(${storeNotices.key}, 7) as integer) and ${storeNotices.key} like 'audit-%')`;

type Notice = typeof storeNotices.$inferSelect & { reason: string | null };

/**
 * Makes of the notices in a shard mails to owners and managers and events for the webhooks of apps themselves, and deletes
 * them. The keys of both follow from those of the notices, so a run that fails is repeated without doubling anything. Returns
 * the number of notices. One call when there are none, else four for all of them.
 */
export async function mailNotices({ env, shard, db, now }: SweepContext): Promise<number> {
  const database = openDatabase(db);
  const notices = await withDbErrors(
    database
      .select({ ...getTableColumns(storeNotices), reason: reasonSql })
      .from(storeNotices)
      .orderBy(storeNotices.id)
      .limit(maxNotices),
  );
  if (notices.length === 0) return 0;
  const directory = openDatabase(env.DIRECTORY);
  const names = await findNames(directory, notices);
  const at = now();
  const statements = await Promise.all(
    notices.map(async (notice) => {
      const content = contentOf(notice, names);
      if (!content) {
        if (notice.kind in appEvents) return [];
        log('error', 'notice_unknown', { alert: true, shard, kind: notice.kind });
        return [];
      }
      const mail = await prepareMail(settingsOf(env), {
        ...content,
        language: 'en',
        key: notice.key,
      });
      const to = { storeId: notice.store_id, roles: ['owner', 'manager'] as const };
      return [insertMailToMembers(directory, mail, to, at)];
    }),
  );
  const events = notices.flatMap((notice) => appEventOf(notice, names) ?? []);
  const [first, ...others] = [...statements.flat(), ...recordAppEvents(directory, events, at)];
  if (first) await withDbErrors(directory.batch([first, ...others]));
  const ids = notices.map(({ id }) => id);
  await withDbErrors(database.delete(storeNotices).where(inArray(storeNotices.id, ids)));
  await wakeMail(env);
  return notices.length;
}

interface Names {
  /** By id. */
  stores: ReadonlyMap<number, { name: string; alias: string; zone: string }>;
  /** By client id. */
  apps: ReadonlyMap<string, AppIdentity>;
}

async function findNames(directory: Database, notices: readonly Notice[]): Promise<Names> {
  const storeIds = [...new Set(notices.map((notice) => notice.store_id))];
  const clientIds = notices.flatMap(({ data }) =>
    typeof data['clientId'] === 'string' ? [data['clientId']] : [],
  );
  const [rows, apps] = await Promise.all([
    withDbErrors(
      directory
        .select({ id: stores.id, name: stores.name, alias: stores.alias, zone: stores.zone })
        .from(stores)
        .where(inArray(stores.id, storeIds)),
    ),
    findAppNames(directory, [...new Set(clientIds)]),
  ]);
  return { stores: new Map(rows.map(({ id, ...store }) => [id, store])), apps };
}

type Content = { [K in MailKind]: { kind: K; data: MailData[K] } }[MailKind];

/** What a notice says; `undefined` for a kind that does not exist. The triggers of the shards write the data. */
function contentOf(
  { kind, data, store_id: storeId }: Notice,
  { stores, apps }: Names,
): Content | undefined {
  const store = stores.get(storeId)?.name ?? '';
  const clientId = String(data['clientId'] ?? '');
  const { name: app, publisher } = apps.get(clientId) ?? { name: clientId, publisher: '' };
  const host = URL.parse(String(data['url']))?.host ?? '';
  switch (kind) {
    case 'app_connected':
      return { kind, data: { app, publisher, store } };
    case 'app_disconnected':
      return { kind, data: { app, store } };
    case 'webhook_failing':
      return { kind, data: { store, host, hours: Number(data['hours']) } };
    case 'webhook_switched_off':
      return { kind, data: { store, host } };
    default:
      return undefined;
  }
}

/** The event that a notice is for the webhook of its app, by kind. */
const appEvents: Readonly<Record<string, AppEventName>> = {
  app_connected: 'app.connected',
  app_disconnected: 'app.disconnected',
  customer_anonymized: 'customer.anonymized',
  store_closed: 'store.closed',
};

/** The event of a notice; `undefined` if it is none, or its store is gone. */
function appEventOf(
  { key, kind, data, reason, store_id: storeId, created_at: at }: Notice,
  { stores }: Names,
): AppEvent | undefined {
  const event = appEvents[kind];
  const store = stores.get(storeId);
  if (!event || !store) return undefined;
  const { clientId, customerId, eraseAt } = data;
  const resource = {
    client_id: String(clientId),
    ...(reason !== null && { reason }),
    ...(customerId !== undefined && { id: Number(customerId) }),
    ...(eraseAt !== undefined && { erase_at: formatLocalTime(Number(eraseAt), store.zone) }),
  };
  return {
    key,
    id: createEventId(storeId, at),
    clientId: String(clientId),
    storeId,
    event,
    body: appEventBody(event, at, { id: storeId, ...store }, resource),
  };
}
