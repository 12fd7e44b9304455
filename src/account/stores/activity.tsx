import type { Context } from 'hono';
import { listActivity } from '../../db/audit/list.ts';
import {
  changesOf,
  formatPlace,
  parsePlace,
  type AuditQuery,
  type AuditRow,
} from '../../db/audit/window.ts';
import { openDatabase } from '../../db/core/open.ts';
import { StoreActivity } from '../../db/directory/activity.ts';
import type { ManagedStore } from '../../db/directory/sessions.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { ActivityPage, type ActivityEntry } from '../../pages/stores/activity-page.tsx';
import { includesRole } from '../../session/pages/page-roles.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { createStoreHandle } from '../../webhooks/queue/wake.ts';
import { memberPaths, storePaths, webhookPaths } from '../paths.ts';
import { storeOfPage } from './store-of-page.ts';

const entriesPerPage = 30;

/** `GET /account/stores/{alias}/activity`: who changed what, newest first; filtered by the query. */
export async function showActivity(c: Context<AppEnv>, context: PageContext) {
  const store = storeOfPage(context);
  const path = storePaths.activity(store.alias);
  const db = createStoreHandle(c.env, store, {
    now: context.now,
    waitUntil: (work) => c.executionCtx.waitUntil(work),
  });
  const directory = new StoreActivity(openDatabase(c.env.DIRECTORY), store.id);
  const query = readQuery(c);
  const { rows, next } = await listActivity(db, directory, query);
  const { actorKind, actorId, kind } = query;
  const chosen = { actor_kind: actorKind, actor_id: actorId, kind };
  const page = (
    <ActivityPage
      dashboard={buildDashboardLayoutProps(c, context, 'activity', path)}
      zone={store.zone}
      entries={rows.map((row): ActivityEntry => ({
        at: row.at,
        actor: {
          kind: row.actor_kind,
          name: row.actor_name,
          href: withQuery(path, { actor_kind: row.actor_kind, actor_id: row.actor_id }),
        },
        action: row.action,
        target: {
          name: row.target_name ?? row.target_id,
          href: targetHref(row, store),
        },
        reason: row.reason,
        changes: changesOf(row),
        from: { country: row.country, network: row.network },
      }))}
      filter={{ action: path, kind, actorKind }}
      onlyActor={actorId === undefined ? undefined : (rows[0]?.actor_name ?? actorId)}
      isFiltered={Object.values(chosen).some((value) => value !== undefined)}
      allHref={path}
      olderHref={next && withQuery(path, { ...chosen, cursor: formatPlace(next) })}
      newestHref={query.after && withQuery(path, chosen)}
    />
  );
  return renderPage(c, page);
}

/** The query of the page; what it does not know is no filter. */
function readQuery(c: Context<AppEnv>): AuditQuery {
  const sent = (name: string) => c.req.query(name) || undefined;
  return {
    limit: entriesPerPage,
    after: parsePlace(c.req.query('cursor') ?? ''),
    actorKind: sent('actor_kind'),
    actorId: sent('actor_id'),
    kind: sent('kind'),
  };
}

function withQuery(path: string, values: Readonly<Record<string, string | undefined>>): string {
  const sent = Object.entries(values).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  );
  return sent.length === 0 ? path : `${path}?${new URLSearchParams(sent).toString()}`;
}

/** The page about a target, for members who may open it. */
function targetHref(
  { target_kind: kind, target_id: id, is_target_live }: AuditRow,
  { alias, role }: Pick<ManagedStore, 'alias' | 'role'>,
): string | undefined {
  if (kind === 'webhook' && is_target_live === 1) return webhookPaths.details(alias, id);
  if (kind === 'app') return browserPaths.connectedApps;
  return kind === 'user' && includesRole(role, 'owner') ? memberPaths.list(alias) : undefined;
}
