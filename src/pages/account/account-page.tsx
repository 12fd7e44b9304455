import type { Child } from 'hono/jsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FormTokenInput } from '../../web/components/form-fields.tsx';
import { FlashMessage } from '../../web/components/inline-text.tsx';
import { SignedInAs, type DisplayedUser } from '../../web/components/signed-in-user.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import type { Messages } from '../../web/texts/en/messages.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import { InactiveReason, type InactiveStore } from '../stores/inactive-reason.tsx';

interface StoreItem {
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
    security: string;
    partners: string;
    profile: string;
    notifications: string;
    sessions: string;
  };
  /** The outcome of the form before this page. */
  done?: 'password' | 'joined' | 'left' | undefined;
  /** For both sign-out forms. */
  formToken: string;
  signOutAction: string;
  signOutEverywhereAction: string;
}

/** The signed-in user, their stores, the next steps, and sign-out. */
export const AccountPage = (props: AccountPageProps) => {
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
      <p>
        <SignedInAs layout={dashboard.layout} user={user} />
      </p>
      <StoreSection {...props} />
      <InactiveSection {...props} />
      <NextSteps {...props} />
      <h2>{t.own}</h2>
      <ul class="stores measure">
        {[
          [hrefs.profile, messages.security.profile.title],
          [hrefs.password, t.changePassword],
          [hrefs.sessions, messages.security.sessions.title],
          [hrefs.notifications, messages.notifications.title],
        ].map(([href, text]) => (
          <li>
            <a class="target" href={href}>
              {text}
            </a>
          </li>
        ))}
      </ul>
      <h2>{t.signOut}</h2>
      <form method="post" action={props.signOutAction} class="actions">
        <FormTokenInput formToken={formToken} />
        <button class="plain">{messages.session.signOut}</button>
      </form>
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

/** The stores that are open, and those that need a second factor first. */
const StoreSection = ({
  dashboard,
  stores,
  lockedStores,
  hrefs,
  newStoreHref,
}: AccountPageProps) => {
  const messages = messagesFor(dashboard.layout.language);
  const t = messages.account.start;
  return (
    <>
      <h2>{t.stores}</h2>
      {stores.length + lockedStores.length === 0 ? (
        <p>{t.noStores}</p>
      ) : (
        <ul class="stores measure">
          {stores.map((store) => (
            <StoreRow {...{ dashboard, store }} />
          ))}
          {lockedStores.map((store) => (
            <StoreRow {...{ dashboard, store }}>
              <StateBadge tone="warn" text={messages.stores.list.locked} />
              <p>{messages.stores.list.lockedLead}</p>
            </StoreRow>
          ))}
        </ul>
      )}
      {stores.length > 0 && (
        <p>
          <a class="target" href={hrefs.apps}>
            {t.seeApps}
          </a>
        </p>
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

const StoreRow = ({
  dashboard,
  store: { name, alias, role, href },
  children,
}: {
  dashboard: DashboardProps;
  store: StoreItem;
  children?: Child;
}) => (
  <li>
    <a class="target" href={href}>
      <strong>
        <bdi>{name}</bdi>
      </strong>
    </a>{' '}
    <span class="muted">
      {alias} · {messagesFor(dashboard.layout.language).store[role]}
    </span>
    {children}
  </li>
);

/** The inactive stores, each with the reason. */
const InactiveSection = ({ dashboard, inactiveStores }: AccountPageProps) => {
  const { language } = dashboard.layout;
  const t = messagesFor(language).stores.list;
  return inactiveStores.length === 0 ? null : (
    <>
      <h2>{t.inactive}</h2>
      <p>{t.inactiveLead}</p>
      <ul class="stores measure">
        {inactiveStores.map((store) => (
          <StoreRow {...{ dashboard, store }}>
            <InactiveReason {...{ store, language }} zone={store.zone} />
          </StoreRow>
        ))}
      </ul>
    </>
  );
};

/** The steps that the user has not taken yet. */
const NextSteps = ({ dashboard, user, hrefs }: AccountPageProps) => {
  const t = messagesFor(dashboard.layout.language).stores.list;
  return (
    <>
      <h2>{t.next}</h2>
      <ul class="measure">
        {!user.hasSecondFactor && (
          <li>
            <a class="target" href={hrefs.security}>
              {t.setUpFactor}
            </a>
          </li>
        )}
        <li>
          {t.partner} {t.partnerLead}{' '}
          <a class="target" href={hrefs.partners}>
            {t.toPartner}
          </a>
        </li>
      </ul>
    </>
  );
};
