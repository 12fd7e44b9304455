import { eq, sql } from 'drizzle-orm';
import { withDbErrors } from '../../db/core/errors.ts';
import { rawDatabaseStatement } from '../../db/core/raw.ts';
import { evictApp, type App } from '../../db/directory/apps.ts';
import { auditStatement } from '../../db/directory/audit.ts';
import { apps } from '../../db/schema/partners.ts';
import { notFound } from '../../errors.ts';
import { disableApp as withdraw } from '../../oauth/revoke/withdraw-app.ts';
import type { DeedContext } from '../deed.ts';

interface AppDeed {
  /** The number of the app, not its client id. */
  appId: number;
  reason: string;
}

/**
 * Disables an app: it gets no new grants at once, and its grants and webhooks end in every shard within a minute, also after
 * an interruption. An app that is disabled stays so.
 */
export async function disableApp(deed: DeedContext, { appId, reason }: AppDeed): Promise<App> {
  const { directory, env, now } = deed;
  const [before] = await withDbErrors(appStatement(deed, appId));
  if (!before) throw notFound();
  const isEnabled = sql`exists (select 1 from ${apps} where id = ${appId} and state <> 'disabled')`;
  const line = appLine(deed, 'app.disabled', before, reason);
  if (before.state !== 'disabled') {
    // Records the withdrawal first; from then on the sweeps go on with it.
    const audit = auditStatement(directory, line, isEnabled);
    await withdraw(env, before.client_id, now, 'disabled', { reason, audit });
  }
  const [app] = await withDbErrors(appStatement(deed, appId));
  if (!app) throw notFound();
  return app;
}

/**
 * Gives a disabled app back to its partner as a draft, which they publish again; merchants must connect it anew. An app that is
 * not disabled stays as it is. One batch.
 */
export async function enableApp(deed: DeedContext, { appId, reason }: AppDeed): Promise<App> {
  const { directory, now } = deed;
  const [before] = await withDbErrors(appStatement(deed, appId));
  if (!before) throw notFound();
  const isDisabled = sql`exists (select 1 from ${apps} where id = ${appId} and state = 'disabled')`;
  const [, , [app]] = await withDbErrors(
    directory.batch([
      auditStatement(directory, appLine(deed, 'app.enabled', before, reason), isDisabled),
      rawDatabaseStatement(
        directory,
        sql`update ${apps} set state = 'draft', disabled_reason = null, updated_at = ${now} where id = ${appId} and state = 'disabled'`,
      ),
      appStatement(deed, appId),
    ]),
  );
  evictApp(before.client_id);
  if (!app) throw notFound();
  return app;
}

const appStatement = ({ directory }: DeedContext, appId: number) =>
  directory.select().from(apps).where(eq(apps.id, appId));

const appLine = (
  { now, actor, from }: DeedContext,
  action: string,
  { client_id, name }: App,
  reason: string,
) =>
  ({
    at: now,
    actor,
    from,
    action,
    target: { kind: 'app', id: client_id },
    reason,
    changes: { name: [null, name] },
  }) as const;
