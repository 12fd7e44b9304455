import { browserPaths, memberPaths, webhookPaths } from '../../base/page-paths.ts';
import { includesRole, Role } from '../../base/roles.ts';
import { listActivity } from '../../data/audit/list-audit.ts';
import {
  formatPlace,
  parsePlace,
  type AuditQuery,
  type AuditRow,
} from '../../data/audit/window.ts';
import { StoreActivity } from '../../data/directory/activity.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import type { SignedInPage } from '../../web/page.ts';
import { openOwnStore } from '../open-own-store.ts';
import { ActivityPage, actorName } from './activity-page.tsx';

const entriesPerPage = 30;

/**
 * `GET /account/stores/{alias}/activity`: the changes and their actors, newest first; filtered by
 * the query.
 */
export async function showActivity(page: SignedInPage) {
  const { store, path } = page;
  const { db } = openOwnStore(page);
  const directory = new StoreActivity(page.directory, store.id);
  const query = readQuery(page);
  const { rows, next } = await listActivity(db, directory, query, page.messages.activity.agent);
  const { actorKind, actorId, kind } = query;
  // Viewers do not see whom others invited.
  const seesAddresses = includesRole(store.role, Role.manager);
  const chosen = { actor_kind: actorKind, actor_id: actorId, kind };
  return (
    <ActivityPage
      {...{ page, rows }}
      part="store/activity"
      zone={store.zone}
      targetOf={(row) => ({
        name:
          row.target_kind === 'invitation' && !seesAddresses
            ? page.messages.activity.unnamed
            : (row.target_name ?? row.target_id),
        href: targetHref(row, store),
      })}
      actorHref={(row) => withQuery(path, { actor_kind: row.actor_kind, actor_id: row.actor_id })}
      hidesAddresses={!seesAddresses}
      filter={{ action: path, kind, actorKind }}
      onlyActor={actorId === undefined || !rows[0] ? undefined : actorName(rows[0], page)}
      noneFiltered={actorId && page.messages.activity.noneOfActor}
      isFiltered={Object.values(chosen).some((value) => value !== undefined)}
      allHref={path}
      olderHref={next && withQuery(path, { ...chosen, cursor: formatPlace(next) })}
      newestHref={query.after && withQuery(path, chosen)}
    />
  );
}

/** Reads the query of the page; an unknown value is no filter. */
function readQuery(page: SignedInPage): AuditQuery {
  const sent = (name: string) => page.query(name) || undefined;
  return {
    limit: entriesPerPage,
    after: parsePlace(page.query('cursor') ?? ''),
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

/**
 * The page about a target, for members who may open it. Of an inactive store, only its own page and
 * this one open.
 */
function targetHref(
  { target_kind: kind, target_id: id, is_target_live }: AuditRow,
  { alias, role, active }: Pick<ManagedStore, 'alias' | 'role' | 'active'>,
): string | undefined {
  if (!active) return undefined;
  if (kind === 'webhook' && is_target_live === 1) return webhookPaths.details(alias, id);
  if (kind === 'app') return browserPaths.connectedApps;
  return kind === 'user' && includesRole(role, Role.owner) ? memberPaths.list(alias) : undefined;
}
