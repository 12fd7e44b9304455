import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { appPaths, partnerActivityPath } from '../../base/page-paths.ts';
import { formatPlace, parsePlace } from '../../data/audit/window.ts';
import { listPartnerAudit } from '../../data/directory/activity.ts';
import { selectPartnersOf } from '../../data/directory/partner-teams.ts';
import type { SignedInPage } from '../../web/page.ts';
import { ActivityPage } from '../stores/activity-page.tsx';

const entriesPerPage = 30;

/**
 * `GET /partners/activity`: what was done to the apps and the team of a partner, newest first. `of`
 * chooses a partner whose team the user is in; without it, the page is about the user's own.
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
  return (
    <ActivityPage
      {...{ page, rows }}
      part="partners/activity"
      zone={defaultZone}
      lead={t.lead}
      caption={t.caption}
      none={t.none}
      teams={
        partners.length === 0
          ? []
          : teams.map(({ id, name }) => ({ name, href: hrefOf(id), isCurrent: id === chosen?.id }))
      }
      targetOf={({ target_kind: kind, target_id: id, target_name: name }) => ({
        name: name ?? id,
        href: kind === 'app' ? appPaths.app(id) : undefined,
      })}
      olderHref={next && hrefOf(chosen?.id, formatPlace(next))}
      newestHref={after && hrefOf(chosen?.id)}
    />
  );
}
