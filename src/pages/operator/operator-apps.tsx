import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { readableAddress } from '../../base/hosts.ts';
import { operatorPaths } from '../../base/page-paths.ts';
import {
  findAppOverview,
  listAppOverviews,
  type AppOverview,
} from '../../data/directory/app-overview.ts';
import { UntrustedName } from '../../web/components/inline-text.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { readListQuery } from './list-query.ts';
import { actionsOfApp } from './operator-actions.tsx';
import { ListPage } from './operator-list-page.tsx';
import { RecordPage } from './record-page.tsx';

const tones = { draft: 'neutral', published: 'good', disabled: 'danger' } as const;

/** `GET /operator/apps`. */
export async function showOperatedApps(page: SignedInPage) {
  const { typed, query } = readListQuery(page, ['draft', 'published', 'disabled']);
  const { rows, next } = await listAppOverviews(page.directory, query);
  const { apps: t, list, hosts, actions } = page.messages.operator;
  const columns = [
    {
      label: t.name,
      cell: ({ id, name }: AppOverview) => (
        <a href={operatorPaths.app(id)}>
          <UntrustedName name={name} />
        </a>
      ),
    },
    {
      label: t.publisher,
      cell: ({ publisher }: AppOverview) => <UntrustedName name={publisher} />,
    },
    {
      label: t.partner,
      cell: ({ partner_id: id, partner_email: email }: AppOverview) => (
        <a href={operatorPaths.user(id)}>
          <bdi>{readableAddress(email)}</bdi>
        </a>
      ),
    },
    {
      label: list.state,
      cell: ({ state }: AppOverview) => <StateBadge tone={tones[state]} text={t.states[state]} />,
    },
    {
      label: hosts.action,
      hasActions: true,
      cell: ({ id, name, state }: AppOverview) =>
        actionsOfApp(state).map(({ segment, id: action }) => (
          <a href={`${operatorPaths.app(id)}/${segment}`}>
            {actions[action].link}
            <span class="visually-hidden">
              {' '}
              <UntrustedName name={name} />
            </span>
          </a>
        )),
    },
  ];
  return (
    <ListPage
      {...{ page, columns, rows, next }}
      part="operator/apps"
      texts={t}
      filter={{ action: operatorPaths.apps, ...typed }}
    />
  );
}

/** Loads the app of the path. Throws a 404. */
export async function requireOperatedApp(page: SignedInPage) {
  const app = await findAppOverview(page.directory, page.id('id'));
  if (!app) throw notFound();
  return app;
}

/** `GET /operator/apps/{id}`: an app, and the possible actions. */
export async function showOperatedApp(page: SignedInPage) {
  const app = await requireOperatedApp(page);
  const path = operatorPaths.app(app.id);
  const { language } = page;
  const { apps: t } = page.messages.operator;
  const facts = [
    [t.clientId, <code>{app.client_id}</code>],
    [t.publisher, <UntrustedName name={app.publisher} />],
    [
      t.partner,
      <a href={operatorPaths.user(app.partner_id)}>
        <bdi>{readableAddress(app.partner_email)}</bdi>
      </a>,
    ],
    [t.registered, <FormattedTime {...{ language }} at={app.created_at} zone={defaultZone} />],
    ...(app.disabled_reason === null
      ? []
      : [[t.reason, <bdi>{app.disabled_reason}</bdi>] as const]),
  ] as const;
  return (
    <RecordPage
      {...{ page, path, facts }}
      part="operator/apps"
      title={app.name}
      state={{ tone: tones[app.state], text: t.states[app.state] }}
      actions={actionsOfApp(app.state)}
    />
  );
}
