import type { Context } from 'hono';
import { defaultZone } from '../codecs/time/zone.ts';
import { openDatabase } from '../db/core/open.ts';
import {
  findAppOverview,
  listAppOverviews,
  type AppOverview,
} from '../db/directory/overview/apps.ts';
import { notFound } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { StateBadge } from '../pages/components/state-badge.tsx';
import { UntrustedName } from '../pages/components/text.tsx';
import { FormattedTime } from '../pages/components/time.tsx';
import { messagesFor } from '../pages/i18n/messages.ts';
import { ListPage } from '../pages/operator/list-page.tsx';
import { RecordPage } from '../pages/operator/record-page.tsx';
import { renderPage } from '../session/pages/render-page.ts';
import type { PageContext } from '../session/pages/user-pages.ts';
import { buildOperatorProps, pageLinks, readListQuery, requireId } from './dashboard.ts';
import { deedsOfApp } from './deeds/service-deeds.ts';
import { operatorPaths } from './paths.ts';

const tones = { draft: 'neutral', published: 'good', disabled: 'danger' } as const;

/** `GET /operator/apps`. */
export async function showOperatedApps(c: Context<AppEnv>, context: PageContext) {
  const { typed, query } = readListQuery(c, ['draft', 'published', 'disabled']);
  const { rows, next } = await listAppOverviews(openDatabase(c.env.DIRECTORY), query);
  const dashboard = buildOperatorProps(c, context, 'apps', operatorPaths.apps);
  const { apps: t, list } = messagesFor(dashboard.layout.language).operator;
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
          <bdi>{email}</bdi>
        </a>
      ),
    },
    {
      label: list.state,
      cell: ({ state }: AppOverview) => <StateBadge tone={tones[state]} text={t.states[state]} />,
    },
  ];
  const page = (
    <ListPage
      {...{ dashboard, columns, rows }}
      title={t.title}
      caption={t.caption}
      filter={{
        action: operatorPaths.apps,
        searchLabel: t.searchLabel,
        states: t.states,
        ...typed,
      }}
      {...pageLinks(c, next)}
    />
  );
  return renderPage(c, page);
}

/** Loads the app of the path. Throws a 404. */
export async function requireOperatedApp(c: Context<AppEnv>) {
  const app = await findAppOverview(openDatabase(c.env.DIRECTORY), requireId(c, 'id'));
  if (!app) throw notFound();
  return app;
}

/** `GET /operator/apps/{id}`: an app, and what can be done. */
export async function showOperatedApp(c: Context<AppEnv>, context: PageContext) {
  const app = await requireOperatedApp(c);
  const path = operatorPaths.app(app.id);
  const dashboard = buildOperatorProps(c, context, 'apps', path);
  const { language } = dashboard.layout;
  const { apps: t, deeds } = messagesFor(language).operator;
  const facts = [
    [t.clientId, <code>{app.client_id}</code>],
    [t.publisher, <UntrustedName name={app.publisher} />],
    [
      t.partner,
      <a href={operatorPaths.user(app.partner_id)}>
        <bdi>{app.partner_email}</bdi>
      </a>,
    ],
    [t.registered, <FormattedTime {...{ language }} at={app.created_at} zone={defaultZone} />],
    ...(app.disabled_reason === null
      ? []
      : [[t.reason, <bdi>{app.disabled_reason}</bdi>] as const]),
  ] as const;
  const page = (
    <RecordPage
      {...{ dashboard, facts }}
      title={app.name}
      state={{ tone: tones[app.state], text: t.states[app.state] }}
      isDone={c.req.query('done') === 'done'}
      deeds={deedsOfApp(app.state).map(({ segment, text, isDangerous = false }) => ({
        href: `${path}/${segment}`,
        text: deeds[text].link,
        isDangerous,
      }))}
    />
  );
  return renderPage(c, page);
}
