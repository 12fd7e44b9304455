import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { appPaths, partnerActivityPath } from '../../base/page-paths.ts';
import { changesOf, formatPlace, parsePlace, type AuditRow } from '../../data/audit/window.ts';
import { listPartnerAudit } from '../../data/directory/activity.ts';
import { selectPartnersOf } from '../../data/directory/partner-teams.ts';
import type { SignedInPage } from '../../web/page.ts';
import { ActivityPage, type ActivityEntry } from '../stores/activity-page.tsx';

const entriesPerPage = 30;

/**
 * `GET /partners/activity`: what was done to the apps and the team of a partner, newest first. `of` chooses a partner whose
 * team the user is in; without it, the page is about the user's own.
 */
export async function showPartnerActivity(page: SignedInPage) {
  const { directory, user, messages } = page;
  const t = messages.partnerTools.activity;
  const partners = await selectPartnersOf(directory, user.id);
  const chosen = partners.find(({ id }) => String(id) === page.query('of'));
  const after = parsePlace(page.query('cursor') ?? '');
  const query = { limit: entriesPerPage, ...(after && { after }) };
  const { rows, next } = await listPartnerAudit(directory, chosen?.id ?? user.id, query);
  const hrefOf = (of: number | undefined, cursor?: string) =>
    partnerActivityPath({
      ...(of !== undefined && { of: String(of) }),
      ...(cursor !== undefined && { cursor }),
    });
  const teams = [{ id: undefined, name: t.own }, ...partners];
  const nameOf = (row: AuditRow) =>
    row.actor_kind === 'operator' ? messages.activity.service : row.actor_name;
  return (
    <ActivityPage
      dashboard={page.dashboard('partners/activity')}
      zone={defaultZone}
      lead={t.lead}
      caption={t.caption}
      none={t.none}
      teams={
        partners.length === 0
          ? []
          : teams.map(({ id, name }) => ({ name, href: hrefOf(id), isCurrent: id === chosen?.id }))
      }
      entries={rows.map((row): ActivityEntry => ({
        at: row.at,
        actor: { kind: row.actor_kind, name: nameOf(row) },
        action: row.action,
        target: {
          name: row.target_name ?? row.target_id,
          href: row.target_kind === 'app' ? appPaths.app(row.target_id) : undefined,
        },
        reason: row.reason,
        changes: changesOf(row),
        from: { country: row.country, network: row.network },
      }))}
      olderHref={next && hrefOf(chosen?.id, formatPlace(next))}
      newestHref={after && hrefOf(chosen?.id)}
    />
  );
}
