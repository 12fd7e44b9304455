import type { Child } from 'hono/jsx';
import { findStoreFigures, type StoreFigures } from '../../accounts/stores/store-figures.ts';
import { browserPaths, securityPaths, storePaths } from '../../base/page-paths.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import { AttentionList } from '../../web/components/attention-list.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FormTokenInput } from '../../web/components/form-fields.tsx';
import { FlashMessage } from '../../web/components/inline-text.tsx';
import { SignedInAs, type DisplayedUser } from '../../web/components/signed-in-user.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { signedOutPath, type SignedInPage } from '../../web/page.ts';
import { signOutEverywhereForm } from '../../web/sign-in/sign-out.ts';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { InactiveReason, type InactiveStore } from '../stores/inactive-reason.tsx';
import { failingNeeds } from '../webhooks/failing-needs.tsx';

/** The outcomes of forms that lead to this page. */
const outcomes = ['password', 'joined', 'left'] as const;

const withHref = (store: ManagedStore) => ({ ...store, href: storePaths.details(store.alias) });

/** `GET /account`: what needs the user, their stores with some figures, and their settings. One round trip more per shard. */
export async function showAccountOverview(page: SignedInPage) {
  const { env, session, settings } = page;
  const figures = await findStoreFigures(env, session.stores);
  return (
    <AccountPage
      dashboard={page.dashboard('account')}
      user={session.user}
      stores={session.stores.map((store) => ({
        ...withHref(store),
        figures: figures.get(store.id),
      }))}
      lockedStores={session.lockedStores.map(withHref)}
      inactiveStores={session.inactiveStores.map(withHref)}
      newStoreHref={settings.signUp === 'everyone' ? storePaths.create : undefined}
      hrefs={{
        password: browserPaths.password,
        apps: browserPaths.connectedApps,
        webhooks: browserPaths.webhooks,
        factor: securityPaths.factor,
        partners: browserPaths.partners,
        profile: browserPaths.profile,
        notifications: browserPaths.notifications,
        sessions: browserPaths.sessions,
      }}
      done={page.done(outcomes)}
      formToken={await signOutEverywhereForm.seal(page, { returnTo: signedOutPath })}
      signOutEverywhereAction={browserPaths.endEverywhere}
    />
  );
}

interface StoreItem {
  /** Absent while the data of the store cannot be read. */
  figures?: StoreFigures | undefined;
  name: string;
  alias: string;
  role: keyof Messages['members']['roles']['names'];
  href: string;
}

interface InactiveStoreItem extends StoreItem, InactiveStore {
  zone: string;
}

interface AccountPageProps {
  dashboard: DashboardProps;
  user: DisplayedUser & { hasSecondFactor: boolean };
  stores: readonly StoreItem[];
  /** Stores that open once the user has a second factor. */
  lockedStores: readonly StoreItem[];
  inactiveStores: readonly InactiveStoreItem[];
  /** Present where every user may create a store. */
  newStoreHref?: string | undefined;
  hrefs: {
    password: string;
    apps: string;
    webhooks: string;
    factor: string;
    partners: string;
    profile: string;
    notifications: string;
    sessions: string;
  };
  /** The outcome of the form before this page. */
  done?: 'password' | 'joined' | 'left' | undefined;
  /** For the form that signs out everywhere. */
  formToken: string;
  signOutEverywhereAction: string;
}

/** The signed-in user, what needs them, their stores and settings. */
const AccountPage = (props: AccountPageProps) => {
  const { dashboard, user, hrefs, formToken } = props;
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.account.start;
  const flash = {
    password: t.passwordChanged,
    joined: messages.members.invitation.accepted,
    left: messages.members.leave.left,
  };
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={props.done && flash[props.done]} />
      <p class="muted">
        <SignedInAs layout={dashboard.layout} user={user} />
      </p>
      <NeedsSection {...props} />
      <StoreSection {...props} />
      <InactiveSection {...props} />
      <h2>{t.own}</h2>
      <ul class="tiles">
        {[
          [hrefs.profile, messages.security.profile.title, t.profileLead],
          [hrefs.password, t.changePassword, messages.account.password.lead],
          [hrefs.sessions, messages.security.sessions.title, t.sessionsLead],
          [hrefs.notifications, messages.notifications.title, t.notificationsLead],
          [hrefs.partners, messages.navigation.partners, messages.stores.list.partnerLead],
        ].map(([href, text, lead]) => (
          <li>
            <a href={href}>{text}</a>
            <span class="muted">{lead}</span>
          </li>
        ))}
      </ul>
      <form method="post" action={props.signOutEverywhereAction}>
        <FormTokenInput formToken={formToken} />
        <p class="muted" id="everywhere">
          {messages.session.everywhereHint}
        </p>
        <button class="plain" aria-describedby="everywhere">
          {messages.session.signOutEverywhere}
        </button>
      </form>
    </DashboardLayout>
  );
};

/** Whatever waits for the user, each with the page where it is settled. */
const NeedsSection = ({ dashboard, user, stores, hrefs }: AccountPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.account.start;
  const needs = [
    ...stores.flatMap((store) => failingNeeds(store, messages)),
    ...(user.hasSecondFactor
      ? []
      : [
          {
            text: messages.stores.list.setUpFactor,
            action: { href: hrefs.factor, text: messages.common.setUp },
          },
        ]),
  ];
  return needs.length === 0 ? (
    <p>
      <StateBadge tone="good" text={t.allWell} />
    </p>
  ) : (
    <AttentionList title={t.needs} items={needs} />
  );
};

/** The stores that are open, and those that need a second factor first. Inactive ones have advice of their own. */
const StoreSection = ({
  dashboard,
  stores,
  lockedStores,
  inactiveStores,
  newStoreHref,
}: AccountPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.account.start;
  const hasNone = stores.length + lockedStores.length === 0;
  return (
    <>
      {(!hasNone || inactiveStores.length === 0) && <h2>{t.stores}</h2>}
      {hasNone ? (
        inactiveStores.length === 0 && <p>{t.noStores}</p>
      ) : (
        <ul class="cards">
          {stores.map((store) => (
            <StoreCard {...{ dashboard, store }} />
          ))}
          {lockedStores.map((store) => (
            <StoreCard {...{ dashboard, store }}>
              <StateBadge tone="warn" text={messages.stores.list.locked} />
              <p>{messages.stores.list.lockedLead}</p>
            </StoreCard>
          ))}
        </ul>
      )}
      {newStoreHref !== undefined && (
        <p class="actions">
          <a class={stores.length === 0 ? 'button' : 'button plain'} href={newStoreHref}>
            {messages.stores.list.make}
          </a>
        </p>
      )}
    </>
  );
};

const StoreCard = ({
  dashboard: {
    layout: { language },
  },
  store: { name, alias, role, href, figures },
  children,
}: {
  dashboard: DashboardProps;
  store: StoreItem;
  children?: Child;
}) => {
  const messages = messagesFor(language);
  const t = messages.account.start.figures;
  return (
    <li class="card">
      <h3>
        <a href={href}>
          <bdi>{name}</bdi>
        </a>
      </h3>
      <p class="muted">
        {alias} · {messages.store[role]}
      </p>
      {figures && (
        <dl class="figures">
          {(['products', 'orders', 'customers'] as const).map((kind) => (
            <div>
              <dt>{t[kind]}</dt>
              <dd>{figures[kind].toLocaleString(language)}</dd>
            </div>
          ))}
        </dl>
      )}
      {children}
    </li>
  );
};

/** The inactive stores, each with the reason. */
const InactiveSection = ({ dashboard, inactiveStores }: AccountPageProps) => {
  const { language } = dashboard.layout;
  const t = messagesFor(language).stores.list;
  return inactiveStores.length === 0 ? null : (
    <>
      <h2>{t.inactive}</h2>
      <p>{t.inactiveLead}</p>
      <ul class="cards">
        {inactiveStores.map((store) => (
          <StoreCard {...{ dashboard, store }}>
            <InactiveReason {...{ store, language }} zone={store.zone} />
          </StoreCard>
        ))}
      </ul>
    </>
  );
};
