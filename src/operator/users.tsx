import type { Context } from 'hono';
import { defaultZone } from '../codecs/time/zone.ts';
import { openDatabase } from '../db/core/open.ts';
import {
  findUserOverview,
  listUserOverviews,
  userStates,
  type UserOverview,
} from '../db/directory/overview/users.ts';
import { notFound } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { StateBadge } from '../pages/components/state-badge.tsx';
import { FormattedTime } from '../pages/components/time.tsx';
import { messagesFor } from '../pages/i18n/messages.ts';
import { ListPage } from '../pages/operator/list-page.tsx';
import { RecordPage } from '../pages/operator/record-page.tsx';
import { renderPage } from '../session/pages/render-page.ts';
import type { PageContext } from '../session/pages/user-pages.ts';
import { buildOperatorProps, pageLinks, readListQuery, requireId } from './dashboard.ts';
import { deedsOfUser } from './deeds/user-deeds.ts';
import { operatorPaths } from './paths.ts';

const tones = { active: 'good', invited: 'neutral', inactive: 'danger' } as const;

/** `GET /operator/users`. */
export async function showOperatedUsers(c: Context<AppEnv>, context: PageContext) {
  const { typed, query } = readListQuery(c, userStates);
  const { rows, next } = await listUserOverviews(openDatabase(c.env.DIRECTORY), query);
  const dashboard = buildOperatorProps(c, context, 'users', operatorPaths.users);
  const { users: t, list } = messagesFor(dashboard.layout.language).operator;
  const columns = [
    {
      label: t.name,
      cell: ({ id, name, operator }: UserOverview) => (
        <>
          <a href={operatorPaths.user(id)}>
            <bdi>{name}</bdi>
          </a>
          {operator === 1 && ' '}
          {operator === 1 && <span class="tag">{t.operator}</span>}
        </>
      ),
    },
    { label: t.email, cell: ({ email }: UserOverview) => <bdi>{email}</bdi> },
    {
      label: t.secondFactor,
      cell: ({ mfa_enabled: isOn }: UserOverview) => (isOn === 1 ? t.on : t.off),
    },
    {
      label: list.state,
      cell: ({ state }: UserOverview) => <StateBadge tone={tones[state]} text={t.states[state]} />,
    },
  ];
  const page = (
    <ListPage
      {...{ dashboard, columns, rows }}
      title={t.title}
      caption={t.caption}
      filter={{
        action: operatorPaths.users,
        searchLabel: t.searchLabel,
        states: t.states,
        ...typed,
      }}
      create={{ href: operatorPaths.newUser, text: t.create }}
      {...pageLinks(c, next)}
    />
  );
  return renderPage(c, page);
}

/** Loads the user of the path. Throws a 404. */
export async function requireOperatedUser(c: Context<AppEnv>, { now }: PageContext) {
  const user = await findUserOverview(openDatabase(c.env.DIRECTORY), requireId(c, 'id'), now);
  if (!user) throw notFound();
  return user;
}

/** `GET /operator/users/{id}`: a user, their stores, and what can be done. */
export async function showOperatedUser(c: Context<AppEnv>, context: PageContext) {
  const user = await requireOperatedUser(c, context);
  const path = operatorPaths.user(user.id);
  const dashboard = buildOperatorProps(c, context, 'users', path);
  const { language } = dashboard.layout;
  const { operator, members, activity } = messagesFor(language);
  const { users: t, deeds } = operator;
  const roles: Readonly<Record<string, string>> = members.roles.names;
  const signedIn =
    user.last_login_at === null ? (
      t.never
    ) : (
      <FormattedTime {...{ language }} at={user.last_login_at} zone={defaultZone} />
    );
  const facts = [
    [t.email, <bdi>{user.email}</bdi>],
    [t.operator, user.operator === 1 ? activity.yes : activity.no],
    [t.secondFactor, user.mfa_enabled === 1 ? t.on : t.off],
    [t.lastSignIn, signedIn],
    [t.sessions, String(user.sessions)],
    [
      t.stores,
      user.stores.length === 0
        ? '–'
        : user.stores.map(({ store_id: id, name, role }) => (
            <>
              <a class="target" href={operatorPaths.store(id)}>
                <bdi>{name}</bdi>
              </a>{' '}
              ({roles[role] ?? role})
              <br />
            </>
          )),
    ],
  ] as const;
  const allowed = deedsOfUser({
    isActive: user.state !== 'inactive',
    isOperator: user.operator === 1,
  });
  const page = (
    <RecordPage
      {...{ dashboard, facts }}
      title={user.name}
      state={{ tone: tones[user.state], text: t.states[user.state] }}
      isDone={c.req.query('done') === 'done'}
      deeds={allowed.map(({ segment, text, isDangerous = false }) => ({
        href: `${path}/${segment}`,
        text: deeds[text].link,
        isDangerous,
      }))}
    />
  );
  return renderPage(c, page);
}
