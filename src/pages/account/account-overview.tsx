import type { Child } from 'hono/jsx';
import { browserPaths, securityPaths, storePaths } from '../../base/page-paths.ts';
import type { ManagedStore } from '../../data/directory/sessions.ts';
import { findStoreFigures, type StoreFigures } from '../../stores/store-figures.ts';
import { AttentionList } from '../../web/components/attention-list.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { FormTokenInput } from '../../web/components/form-fields.tsx';
import { FlashMessage } from '../../web/components/inline-text.tsx';
import { SignedInAs } from '../../web/components/signed-in-user.tsx';
import { StateBadge } from '../../web/components/state-badge.tsx';
import { signedOutPath, type SignedInPage } from '../../web/page.ts';
import { signOutEverywhereForm } from '../../web/sign-in/sign-out.ts';
import { InactiveReason } from '../stores/inactive-reason.tsx';
import { failingNeeds } from '../webhooks/failing-needs.tsx';

/**
 * `GET /account`: what needs the user, their stores with some figures, and their settings. One
 * round trip more per shard.
 */
export async function showAccountOverview(page: SignedInPage) {
  const { env, session, messages } = page;
  const figures = await findStoreFigures(env, session.stores);
  const formToken = await signOutEverywhereForm.seal(page, { returnTo: signedOutPath });
  const t = messages.account.start;
  const flash = {
    password: t.passwordChanged,
    joined: messages.members.invitation.accepted,
    left: messages.members.leave.left,
  };
  const done = page.done(['password', 'joined', 'left']);
  const dashboard = page.dashboard('account');
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      <FlashMessage text={done && flash[done]} />
      <p class="muted">
        <SignedInAs layout={dashboard.layout} user={session.user} />
      </p>
      <NeedsSection {...{ page, figures }} />
      <StoreSection {...{ page, figures }} />
      <InactiveSection {...{ page }} />
      <h2>{t.own}</h2>
      <ul class="tiles">
        {[
          [browserPaths.profile, messages.security.profile.title, t.profileLead],
          [browserPaths.password, t.changePassword, messages.account.password.lead],
          [browserPaths.sessions, messages.security.sessions.title, t.sessionsLead],
          [browserPaths.notifications, messages.notifications.title, t.notificationsLead],
          [browserPaths.partners, messages.navigation.partners, messages.stores.list.partnerLead],
        ].map(([href, text, lead]) => (
          <li>
            <a href={href}>{text}</a>
            <span class="muted">{lead}</span>
          </li>
        ))}
      </ul>
      <form method="post" action={browserPaths.endEverywhere}>
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
}

/**
 * The user's stores with their figures, which are absent while the data of a store cannot be read.
 */
interface WithFigures {
  page: SignedInPage;
  figures: ReadonlyMap<number, StoreFigures>;
}

/** Whatever waits for the user, each with the page where it is settled. */
const NeedsSection = ({ page: { session, messages }, figures }: WithFigures) => {
  const t = messages.account.start;
  const needs = [
    ...session.stores.flatMap((store) => failingNeeds(store, figures.get(store.id), messages)),
    ...(session.user.hasSecondFactor
      ? []
      : [
          {
            text: messages.stores.list.setUpFactor,
            action: { href: securityPaths.factor, text: messages.common.setUp },
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

/**
 * The stores that are open, and those that need a second factor first. Inactive ones have advice of
 * their own.
 */
const StoreSection = ({ page, figures }: WithFigures) => {
  const { messages, settings } = page;
  const { stores, lockedStores, inactiveStores } = page.session;
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
            <StoreCard {...{ page, store }} figures={figures.get(store.id)} />
          ))}
          {lockedStores.map((store) => (
            <StoreCard {...{ page, store }}>
              <StateBadge tone="warn" text={messages.stores.list.locked} />
              <p>{messages.stores.list.lockedLead}</p>
            </StoreCard>
          ))}
        </ul>
      )}
      {settings.signUp === 'everyone' && (
        <p class="actions">
          <a class={stores.length === 0 ? 'button' : 'button plain'} href={storePaths.create}>
            {messages.stores.list.make}
          </a>
        </p>
      )}
    </>
  );
};

const StoreCard = ({
  page: { messages, language },
  store: { name, alias, role },
  figures,
  children,
}: {
  page: SignedInPage;
  store: ManagedStore;
  figures?: StoreFigures | undefined;
  children?: Child;
}) => {
  const t = messages.account.start.figures;
  return (
    <li class="card">
      <h3>
        <a href={storePaths.details(alias)}>
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
const InactiveSection = ({ page }: { page: SignedInPage }) => {
  const { language, messages, session } = page;
  const { inactiveStores } = session;
  const t = messages.stores.list;
  return inactiveStores.length === 0 ? null : (
    <>
      <h2>{t.inactive}</h2>
      <p>{t.inactiveLead}</p>
      <ul class="cards">
        {inactiveStores.map((store) => (
          <StoreCard {...{ page, store }}>
            <InactiveReason {...{ store, language }} />
          </StoreCard>
        ))}
      </ul>
    </>
  );
};
