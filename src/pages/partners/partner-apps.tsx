import { defaultZone } from '../../base/codecs/fields/zone.ts';
import { notFound } from '../../base/errors.ts';
import { appPaths, guidePath, type AppTransition } from '../../base/page-paths.ts';
import {
  findOwnApp,
  listOwnApps,
  verifiedHost,
  type App,
  type OwnApp,
} from '../../data/directory/apps.ts';
import { groupScopes } from '../../data/grants/scopes.ts';
import { countInstalls, listAppEvents } from '../../oauth/installed-apps.ts';
import { resolveIssuer } from '../../oauth/server-metadata.ts';
import { copyButtonScript } from '../../web/assets/assets.ts';
import { ActionMenu, type MenuAction } from '../../web/components/action-menu.tsx';
import { AppLogo, IdentityFacts, type ShownIdentity } from '../../web/components/app-identity.tsx';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import type { DangerousScopeName, ScopeName } from '../../web/components/scope-list.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { messagesFor } from '../../web/texts/messages.ts';
import {
  AppEventTable,
  AppStateLabel,
  type AppEventView,
  type AppStateName,
} from './app-status.tsx';

/** Forms about apps. */
export const ofApps = { role: 'partner', limit: 'pages', part: 'partners/apps' } as const;

/** Loads the app of the path. Throws 404 unless it belongs to the user, or to a partner whose team the user is in. */
export async function requireOwnApp(page: SignedInPage): Promise<OwnApp> {
  const app = await findOwnApp(page.directory, page.user.id, page.param('clientId'));
  if (!app) throw notFound();
  return app;
}

/** The transitions that each state allows. */
const allowedTransitions: Record<App['state'], readonly AppTransition[]> = {
  draft: ['publish', 'disable'],
  published: ['withdraw', 'disable'],
  disabled: ['withdraw'],
};

/** The transitions that an app has now: none while the operator keeps it disabled. */
export const transitionsOf = (app: App) =>
  app.disabled_reason === null ? allowedTransitions[app.state] : [];

/** `GET /partners`: the user's apps. */
export async function showApps(page: SignedInPage) {
  const { env, user, now, directory } = page;
  const apps = await listOwnApps(directory, user.id);
  const clientIds = apps.map(({ client_id }) => client_id);
  const installCounts = await countInstalls(env, clientIds, now);
  return (
    <PartnerAppsPage
      dashboard={page.dashboard('partners/apps')}
      apps={apps.map(({ name, client_id, state }) => ({
        name,
        clientId: client_id,
        state,
        installs: installCounts.get(client_id) ?? 0,
        href: appPaths.app(client_id),
      }))}
      registerHref={appPaths.register}
    />
  );
}

/** `GET /partners/{client id}`: an app, its possible transitions, and the events of its connections. */
export async function showApp(page: SignedInPage) {
  const { env, settings, user, now, language } = page;
  const app = await requireOwnApp(page);
  const { client_id: clientId } = app;
  const [installCounts, events] = await Promise.all([
    countInstalls(env, [clientId], now),
    listAppEvents(env, clientId),
  ]);
  const issuer = resolveIssuer(settings, page.c.req.url);
  return (
    <AppPage
      dashboard={page.dashboard('partners/apps')}
      app={{
        name: app.name,
        clientId,
        state: app.state,
        redirectUris: app.redirect_uris,
        registeredAt: app.created_at,
        installs: installCounts.get(clientId) ?? 0,
        ...groupScopes(app.scopes),
      }}
      identity={{ ...app, verified: verifiedHost(app, now) }}
      verifyHref={app.site_url === null ? undefined : appPaths.verify(clientId)}
      events={events}
      zone={defaultZone}
      partner={app.owner_id === user.id ? undefined : app.partner}
      operatorsReason={app.disabled_reason ?? undefined}
      redeemCall={[
        `curl '${issuer}/oauth/token'`,
        '-d grant_type=authorization_code',
        `-d client_id=${clientId}`,
        '-d code=CODE',
        '-d code_verifier=VERIFIER',
        `-d redirect_uri=${encodeURIComponent(app.redirect_uris[0] ?? '')}`,
      ].join(' \\\n  ')}
      editHref={appPaths.edit(clientId)}
      logoHref={appPaths.logo(clientId)}
      trialHref={appPaths.trial(clientId)}
      installsHref={appPaths.installs(clientId)}
      webhookHref={appPaths.webhook(clientId)}
      requestsHref={appPaths.requests(clientId)}
      guideHref={guidePath(language, 'oauth')}
      transitions={transitionsOf(app).map((transition) => ({
        transition,
        href: appPaths.transition(clientId, transition),
      }))}
      flash={page.done(appFlashes)}
    />
  );
}

/** The results of a form that the page can show. */
const appFlashes = [
  'registered',
  'saved',
  'verified',
  'logoSet',
  'logoRemoved',
  'published',
  'withdrawn',
  'disabled',
] as const;

interface AppPageProps {
  dashboard: DashboardProps;
  app: {
    name: string;
    clientId: string;
    state: AppStateName;
    redirectUris: readonly string[];
    /** Epoch milliseconds. */
    registeredAt: number;
    installs: number;
    reads: readonly ScopeName[];
    writes: readonly ScopeName[];
    dangerous: readonly DangerousScopeName[];
  };
  identity: ShownIdentity & { client_id: string; logo: string | null };
  logoHref: string;
  /** Absent for an app without a site. */
  verifyHref: string | undefined;
  /** The partner it belongs to, if that is not the user. */
  partner: string | undefined;
  /** The reason why the operator disabled it. */
  operatorsReason: string | undefined;
  events: readonly AppEventView[];
  zone: string;
  /** A token request of the app, as a command. */
  redeemCall: string;
  editHref: string;
  trialHref: string;
  installsHref: string;
  requestsHref: string;
  webhookHref: string;
  guideHref: string;
  transitions: readonly { transition: 'publish' | 'withdraw' | 'disable'; href: string }[];
  flash: (typeof appFlashes)[number] | undefined;
}

/** The likely next step in each state: the one primary button of the page. */
const nextSteps = { draft: 'trial', published: 'installs', disabled: 'withdraw' } as const;

/** A page about a part of an app: its name, and what it is for. */
type Door = readonly [href: string, name: string, lead: string];

const toAction = ([href, name, text]: Door, style: 'plain' | 'danger' = 'plain'): MenuAction => ({
  control: (
    <a class={`button ${style}`} href={href}>
      {name}
    </a>
  ),
  hint: { text },
});

/** One app of the partner: its next step and what it is used for each day, then its credentials and what merchants see. */
const AppPage = ({ dashboard, app, zone, ...props }: AppPageProps) => {
  const { language } = dashboard.layout;
  const { partners: messages, partnerTools, appWebhook, scopes } = messagesFor(language);
  const t = messages.app;
  const { app: labels, trial, installs, requests, team } = partnerTools;
  const granted = [...app.reads, ...app.writes, ...app.dangerous];
  const next = nextSteps[app.state];
  const doors: Readonly<Record<'trial' | 'installs' | 'requests' | 'webhook', Door>> = {
    trial: [props.trialHref, trial.open, labels.trialLead],
    installs: [props.installsHref, installs.open, labels.installsLead],
    requests: [props.requestsHref, requests.open, labels.requestsLead],
    webhook: [props.webhookHref, appWebhook.open, labels.webhookLead],
  };
  const nextDoor = next === 'withdraw' ? undefined : doors[next];
  const leadsOn = ({ transition }: { transition: AppTransition }) =>
    transition === next || transition === 'publish';
  return (
    <DashboardLayout {...dashboard} title={app.name} scripts={[copyButtonScript]}>
      <div class="named">
        <AppLogo app={{ ...props.identity, name: app.name }} language={language} />
        <h1>
          <UntrustedName name={app.name} />
        </h1>
      </div>
      <FlashMessage text={props.flash && t.flash[props.flash]} />
      {props.operatorsReason !== undefined && (
        <p class="notice danger">
          <Interpolate
            text={partnerTools.operatorDisabled}
            parts={{ reason: <bdi>{props.operatorsReason}</bdi> }}
          />
        </p>
      )}
      <p>
        <AppStateLabel state={app.state} messages={messages} />. {messages.stateHints[app.state]}
      </p>
      <div class="actions">
        {nextDoor && (
          <a class="button" href={nextDoor[0]}>
            {nextDoor[1]}
          </a>
        )}
        {props.transitions.filter(leadsOn).map(({ transition, href }) => (
          <a class={transition === next ? 'button' : 'button plain'} href={href}>
            {t[transition]}
          </a>
        ))}
        <ActionMenu
          {...{ language }}
          actions={[
            toAction([props.editHref, t.edit, labels.editLead]),
            toAction([props.logoHref, messages.logo.open, labels.logoLead]),
            props.verifyHref !== undefined &&
              toAction([props.verifyHref, messages.domain.open, labels.domainLead]),
            ...props.transitions
              .filter((one) => !leadsOn(one))
              .map(({ transition, href }) =>
                toAction(
                  [href, t[transition], labels.endingLead],
                  transition === 'disable' ? 'danger' : 'plain',
                ),
              ),
          ]}
        />
      </div>
      <ul class="tiles">
        {Object.values(doors)
          .filter((door) => door !== nextDoor)
          .map(([href, name, lead]) => (
            <li>
              <a href={href}>{name}</a>
              <span class="muted">{lead}</span>
            </li>
          ))}
      </ul>
      <div class="charts">
        <section>
          <h2>{labels.credentials}</h2>
          <CopyableCode language={language} label={messages.list.clientId} value={app.clientId} />
          {app.redirectUris.map((uri) => (
            <CopyableCode language={language} label={labels.redirectUri} value={uri} />
          ))}
          <CopyableCode language={language} label={labels.redeem} value={props.redeemCall} />
          <a class="target" href={props.guideHref}>
            {labels.oauthGuide}
          </a>
        </section>
        <section class="card">
          <h2>{labels.merchants}</h2>
          <dl class="facts">
            {props.partner !== undefined && (
              <>
                <dt>{team.owner}</dt>
                <dd>
                  <UntrustedName name={props.partner} />
                </dd>
              </>
            )}
            <dt>{messages.list.installs}</dt>
            <dd>{app.installs.toLocaleString(language)}</dd>
            <IdentityFacts app={props.identity} language={language} />
            <dt>{t.registered}</dt>
            <dd>
              <FormattedTime {...{ language, zone }} at={app.registeredAt} />
            </dd>
          </dl>
          <details>
            <summary>{labels.scopes.replace('{count}', String(granted.length))}</summary>
            <ul>
              {granted.map((scope) => (
                <li>
                  <code>{scope}</code> {scopes.meanings[scope]}
                </li>
              ))}
            </ul>
          </details>
        </section>
      </div>
      <h2>{t.events}</h2>
      <AppEventTable events={props.events} {...{ language, zone }} />
    </DashboardLayout>
  );
};

interface PartnerAppsPageProps {
  dashboard: DashboardProps;
  apps: readonly {
    name: string;
    clientId: string;
    state: AppStateName;
    installs: number;
    href: string;
  }[];
  registerHref: string;
}

/** The apps of the partner. */
const PartnerAppsPage = ({ dashboard, apps, registerHref }: PartnerAppsPageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language).partners;
  const t = messages.list;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      {apps.length === 0 && <p>{t.none}</p>}
      <p class="actions">
        <a class="button" href={registerHref}>
          {t.register}
        </a>
      </p>
      {apps.length > 0 && (
        <DataTable
          caption={t.caption}
          rows={apps}
          columns={[
            {
              label: t.name,
              cell: ({ href, name }) => (
                <a href={href}>
                  <UntrustedName name={name} />
                </a>
              ),
            },
            {
              label: t.state,
              cell: ({ state }) => <AppStateLabel {...{ state, messages }} />,
            },
            { label: t.installs, cell: ({ installs }) => installs.toLocaleString(language) },
            { label: t.clientId, cell: ({ clientId }) => <code>{clientId}</code> },
          ]}
        />
      )}
    </DashboardLayout>
  );
};
