import { eq, sql } from 'drizzle-orm';
import { notFound } from '../../base/errors.ts';
import type { ActionContext } from '../../data/audit/action.ts';
import { auditStatement } from '../../data/audit/audit-lines.ts';
import { rawDatabaseStatement } from '../../data/core/raw.ts';
import { evictApp, type App } from '../../data/directory/apps.ts';
import { apps } from '../../data/schema/directory/partners-tables.ts';
import { insertMailToTeam, prepareMail, wakeMail } from '../../mail/outbox.ts';
import { withdrawAppEverywhere } from '../../oauth/withdraw-app.ts';
import { deleteLogoFiles } from './app-logo.ts';
import { partnerOf } from './manage-apps.ts';

interface AppAction {
  /** The number of the app, not its client id. */
  appId: number;
  reason: string;
}

/**
 * Disables an app. It gets no new grants at once, and its grants and webhooks end in every shard
 * within a minute, also after an interruption. An app that is disabled already loses its logo only.
 */
export async function disableApp(
  action: ActionContext,
  { appId, reason }: AppAction,
): Promise<App> {
  const { directory, env, settings, now, defer } = action;
  const [before] = await appStatement(action, appId);
  if (!before) throw notFound();
  const isEnabled = sql`exists (select 1 from ${apps} where id = ${appId} and state <> 'disabled')`;
  const line = appLine(action, 'app.disabled', before, reason);
  if (before.state !== 'disabled') {
    // Records the withdrawal first; from then on the sweeps go on with it.
    const audit = auditStatement(directory, line, isEnabled);
    const told = await prepareMail(settings, {
      kind: 'app_disabled',
      data: { app: before.name, reason },
    });
    const mail = insertMailToTeam(directory, told, partnerOf(before.client_id), now, isEnabled);
    await withdrawAppEverywhere(env, before.client_id, now, 'disabled', { reason, audit, mail });
    defer(wakeMail(env));
  }
  // The logo goes in any case: it may be the reason. Files that are not deleted here are when the
  // logos are next looked at.
  defer(deleteLogoFiles(env, before.client_id).catch(() => undefined));
  const [, [app]] = await directory.batch([
    rawDatabaseStatement(directory, sql`update ${apps} set logo = null where id = ${appId}`),
    appStatement(action, appId),
  ]);
  evictApp(before.client_id);
  if (!app) throw notFound();
  return app;
}

/**
 * Gives a disabled app back to its partner as a draft, which they publish again; merchants must
 * connect it anew. An app that is not disabled stays as it is. One batch.
 */
export async function enableApp(action: ActionContext, { appId, reason }: AppAction): Promise<App> {
  const { directory, now } = action;
  const [before] = await appStatement(action, appId);
  if (!before) throw notFound();
  const isDisabled = sql`exists (select 1 from ${apps} where id = ${appId} and state = 'disabled')`;
  const [, , [app]] = await directory.batch([
    auditStatement(directory, appLine(action, 'app.enabled', before, reason), isDisabled),
    rawDatabaseStatement(
      directory,
      sql`update ${apps} set state = 'draft', disabled_reason = null, updated_at = ${now} where id = ${appId} and state = 'disabled'`,
    ),
    appStatement(action, appId),
  ]);
  evictApp(before.client_id);
  if (!app) throw notFound();
  return app;
}

const appStatement = ({ directory }: ActionContext, appId: number) =>
  directory.select().from(apps).where(eq(apps.id, appId));

const appLine = (
  { now, actor, from }: ActionContext,
  action: string,
  { client_id, owner_id, name }: App,
  reason: string,
) =>
  ({
    at: now,
    actor,
    from,
    action,
    target: { kind: 'app', id: client_id },
    partnerId: owner_id,
    reason,
    changes: { name: [null, name] },
  }) as const;
