import { pathId } from '../../base/codecs/fields/ids.ts';
import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { operatorPaths } from '../../base/page-paths.ts';
import {
  findBlockedHost,
  listBlockedHosts,
  type BlockedHost,
} from '../../data/directory/blocked-hosts.ts';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { doneOf, unblockAction } from './operator-actions.tsx';
import { ListPage } from './operator-list-page.tsx';

/** `GET /operator/hosts`: the hosts whose assistants are blocked, newest first. */
export async function showBlockedHosts(page: SignedInPage) {
  const cursor = pathId.safeParse(page.query('cursor')).data;
  const { rows, next } = await listBlockedHosts(page.directory, { limit: 50, cursor });
  const { language } = page;
  const { hosts: t, actions } = page.messages.operator;
  const columns = [
    { label: t.host, cell: ({ host }: BlockedHost) => <span class="host">{host}</span> },
    { label: t.reason, cell: ({ reason }: BlockedHost) => <bdi>{reason}</bdi> },
    {
      label: t.blocked,
      cell: ({ created_at: at }: BlockedHost) => (
        <FormattedTime {...{ language, at }} zone={defaultZone} />
      ),
    },
    {
      label: t.action,
      cell: ({ id }: BlockedHost) => (
        <a href={`${operatorPaths.host(id)}/${unblockAction.segment}`}>
          {actions.unblockHost.link}
        </a>
      ),
    },
  ];
  return (
    <ListPage
      {...{ page, columns, rows, next }}
      part="operator/hosts"
      texts={t}
      createHref={operatorPaths.newHost}
      done={doneOf(page)}
    />
  );
}

/** Loads the blocked host of the path. Throws a 404. */
export async function requireBlockedHost(page: SignedInPage) {
  const found = await findBlockedHost(page.directory, page.id('id'));
  if (!found) throw notFound();
  return { name: found.host };
}
