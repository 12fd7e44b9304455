import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { readableAddress } from '../../base/hosts.ts';
import { operatorPaths } from '../../base/page-paths.ts';
import {
  findUserOverview,
  listUserOverviews,
  userStates,
  type UserOverview,
} from '../../data/directory/user-overview.ts';
import { DataTable } from '../../web/components/data-table.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { readListQuery } from './list-query.ts';
import { actionsOfUser } from './operator-actions.tsx';
import { ListPage } from './operator-list-page.tsx';
import { RecordPage } from './record-page.tsx';

const tones = {
  active: 'good',
  invited: 'neutral',
  inactive: 'danger',
  erased: 'neutral',
} as const;

/** `GET /operator/users`. */
export async function showOperatedUsers(page: SignedInPage) {
  const { typed, query } = readListQuery(page, userStates);
  const { rows, next } = await listUserOverviews(page.directory, query);
  const { users: t, list } = page.messages.operator;
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
    { label: t.email, cell: ({ email }: UserOverview) => <bdi>{readableAddress(email)}</bdi> },
    {
      label: t.secondFactor,
      cell: ({ mfa_enabled: isOn }: UserOverview) => (isOn === 1 ? t.on : t.off),
    },
    {
      label: list.state,
      cell: ({ state }: UserOverview) => <StateBadge tone={tones[state]} text={t.states[state]} />,
    },
  ];
  return (
    <ListPage
      {...{ page, columns, rows, next }}
      part="operator/users"
      texts={t}
      filter={{ action: operatorPaths.users, ...typed }}
      createHref={operatorPaths.newUser}
    />
  );
}

/** Loads the user of the path. Throws a 404. */
export async function requireOperatedUser(page: SignedInPage) {
  const user = await findUserOverview(page.directory, page.id('id'), page.now);
  if (!user) throw notFound();
  return user;
}

/** `GET /operator/users/{id}`: a user, their stores, and the possible actions. */
export async function showOperatedUser(page: SignedInPage) {
  const user = await requireOperatedUser(page);
  const path = operatorPaths.user(user.id);
  const { language } = page;
  const { operator, members, account } = page.messages;
  const { users: t, actions } = operator;
  const roles: Readonly<Record<string, string>> = members.roles.names;
  const time = (at: number) => <FormattedTime {...{ language, at }} zone={defaultZone} />;
  const signedIn = user.last_login_at === null ? t.never : time(user.last_login_at);
  const facts = [
    [t.email, <bdi>{readableAddress(user.email)}</bdi>],
    [t.operator, user.operator === 1 ? t.yes : t.no],
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
  const allowed = actionsOfUser({
    state: user.state,
    isOperator: user.operator === 1,
    hasSecondFactor: user.mfa_enabled === 1,
  });
  return (
    <RecordPage
      {...{ page, path, facts }}
      part="operator/users"
      title={user.name}
      state={{ tone: tones[user.state], text: t.states[user.state] }}
      actions={allowed}
    >
      {user.keys.length > 0 && (
        <DataTable
          caption={account.keys.caption}
          rows={user.keys}
          columns={[
            { label: account.keys.name, cell: ({ name }) => <bdi>{name}</bdi> },
            {
              label: account.keys.secretEndsIn,
              cell: ({ last_four: end }) => <code>{end}</code>,
            },
            {
              label: account.keys.used,
              cell: ({ last_used_at: at }) => (at === null ? t.never : time(at)),
            },
            {
              label: account.keys.action,
              hasActions: true,
              cell: ({ id, name }) => (
                <a class="target" href={operatorPaths.revokeKey(user.id, id)}>
                  {actions.revokeKey.link}
                  <span class="visually-hidden"> {name}</span>
                </a>
              ),
            },
          ]}
        />
      )}
    </RecordPage>
  );
}

/** Loads the live key of the path, of the user of the path. Throws a 404. */
export async function requireOperatedKey(page: SignedInPage) {
  const { email, keys } = await requireOperatedUser(page);
  const key = keys.find(({ id }) => id === page.id('key_id'));
  if (!key) throw notFound();
  return { name: `${key.name} (…${key.last_four})`, email };
}
