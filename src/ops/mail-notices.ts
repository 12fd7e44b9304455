import { getTableColumns, inArray, sql } from 'drizzle-orm';
import { formatLocalTime } from '../base/codecs/fields/local-time.ts';
import { log } from '../base/log.ts';
import { settingsOf } from '../base/settings.ts';
import { beyondPercent } from '../data/core/event-budget.ts';
import { createEventId } from '../data/core/event-id.ts';
import { openDatabase, type Database } from '../data/core/open-database.ts';
import { recordAppEvents, type AppEvent } from '../data/directory/app-deliveries.ts';
import { findAppNames, type AppIdentity } from '../data/directory/apps.ts';
import { stores } from '../data/schema/directory/directory-tables.ts';
import { storeAudit } from '../data/schema/store/audit-tables.ts';
import { storeNotices } from '../data/schema/store/notices-tables.ts';
import type { SweepContext, SweepTask } from '../data/sweep-task.ts';
import type { MailData, MailKind } from '../mail/kinds.ts';
import { insertMailToMembers, prepareMail, wakeMail } from '../mail/outbox.ts';
import { appEventBody, type AppEventName } from '../webhooks/events/app-events.ts';
import { followDirectory } from './follow-directory.ts';

/** Notices of one run. */
export const maxNotices = 50;

/** The reason in the line of the audit that caused the notice: why an app was disconnected. */
const reasonSql = sql<string | null>`(select reason from ${storeAudit}
  where ${storeAudit.id} = cast(substr(${storeNotices.key}, 7) as integer) and ${storeNotices.key} like 'audit-%')`;

type Notice = typeof storeNotices.$inferSelect & { reason: string | null };

/**
 * Turns the notices of a shard into mails to owners and managers, events for the webhooks of apps
 * themselves and alerts, and deletes them. The keys of both follow from those of the notices, so a
 * run that fails is repeated without doubling anything. Returns the number of notices. One call
 * when there are none, else four for all of them.
 */
export async function mailNotices({ env, shard, db, now }: SweepContext): Promise<number> {
  const database = openDatabase(db);
  const notices = await database
    .select({ ...getTableColumns(storeNotices), reason: reasonSql })
    .from(storeNotices)
    .orderBy(storeNotices.id)
    .limit(maxNotices);
  if (notices.length === 0) return 0;
  const directory = openDatabase(env.DIRECTORY);
  const names = await findNames(directory, notices);
  const { eventBudget } = settingsOf(env);
  const at = now();
  const statements = await Promise.all(
    notices.map(async (notice) => {
      if (isBeyondBudget(notice)) {
        log('error', 'event_budget_passed', { alert: true, store: notice.store_id, shard });
        return [];
      }
      const content = contentOf(notice, names, eventBudget);
      if (!content) {
        if (notice.kind in appEvents) return [];
        log('error', 'notice_unknown', { alert: true, shard, kind: notice.kind });
        return [];
      }
      const mail = await prepareMail(settingsOf(env), {
        ...content,
        key: notice.key,
      });
      const to = { storeId: notice.store_id, roles: ['owner', 'manager'] as const };
      return [insertMailToMembers(directory, mail, to, at)];
    }),
  );
  const events = notices.flatMap((notice) => appEventOf(notice, names) ?? []);
  const [first, ...others] = [...statements.flat(), ...recordAppEvents(directory, events, at)];
  if (first) await directory.batch([first, ...others]);
  const ids = notices.map(({ id }) => id);
  await database.delete(storeNotices).where(inArray(storeNotices.id, ids));
  await wakeMail(env);
  return notices.length;
}

/** Whether a notice is for operators: that a store is beyond its event budget. */
const isBeyondBudget = ({ kind, data }: Pick<Notice, 'kind' | 'data'>) =>
  kind === 'event_budget' && data['percent'] === beyondPercent;

/**
 * The tasks that the causes of mails and of events of apps wake (`outbox-queue.ts`): the second
 * tells of what the first finds.
 */
export const noticeTasks = [
  { name: 'followed', run: followDirectory, untilMs: 20_000 },
  {
    name: 'notices',
    run: mailNotices,
    untilMs: 20_000,
    limit: maxNotices,
    restsDuringMoves: true,
  },
] as const satisfies readonly SweepTask[];

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
    directory
      .select({ id: stores.id, name: stores.name, alias: stores.alias, zone: stores.zone })
      .from(stores)
      .where(inArray(stores.id, storeIds)),
    findAppNames(directory, [...new Set(clientIds)]),
  ]);
  return { stores: new Map(rows.map(({ id, ...store }) => [id, store])), apps };
}

type Content = { [K in MailKind]: { kind: K; data: MailData[K] } }[MailKind];

/**
 * The content of a notice; `undefined` for a kind that does not exist. The triggers of the shards
 * write the data.
 */
function contentOf(
  { kind, data, store_id: storeId }: Notice,
  { stores, apps }: Names,
  eventBudget: number,
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
    case 'event_budget': {
      const percent = Number(data['percent']);
      // A store without a budget of its own has that of the service.
      return { kind, data: { store, percent, budget: Number(data['budget'] ?? eventBudget) } };
    }
    case 'webhook_destination':
      return { kind, data: { store, host } };
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
  store_renamed: 'store.renamed',
};

/** The event of a notice; `undefined` if it is none, or its store is gone. */
function appEventOf(
  { key, kind, data, reason, store_id: storeId, created_at: at }: Notice,
  { stores }: Names,
): AppEvent | undefined {
  const event = appEvents[kind];
  const store = stores.get(storeId);
  if (!event || !store) return undefined;
  const { clientId, customerId, eraseAt, formerAlias } = data;
  const resource = {
    client_id: String(clientId),
    ...(reason !== null && { reason }),
    ...(customerId !== undefined && { id: Number(customerId) }),
    ...(eraseAt !== undefined && { erase_at: formatLocalTime(Number(eraseAt), store.zone) }),
    ...(formerAlias !== undefined && { alias: store.alias, former_alias: String(formerAlias) }),
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
