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
import { AppLogo, IdentityFacts } from '../../web/components/app-identity.tsx';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout } from '../../web/components/dashboard-layout.tsx';
import { DataTable } from '../../web/components/data-table.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import type { SignedInPage } from '../../web/page.ts';
import { AppEventTable, AppStateLabel } from './app-status.tsx';

/** Forms about apps. */
export const ofApps = { role: 'partner', limit: 'pages', part: 'partners/apps' } as const;

/**
 * Loads the app of the path. Throws 404 unless it belongs to the user, or to a partner whose team
 * the user is in.
 */
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
  const { env, user, now, directory, language } = page;
  const apps = await listOwnApps(directory, user.id);
  const clientIds = apps.map(({ client_id }) => client_id);
  const installCounts = await countInstalls(env, clientIds, now);
  const messages = page.messages.partners;
  const t = messages.list;
  return (
    <DashboardLayout {...page.dashboard('partners/apps')} title={t.title}>
      <h1>{t.title}</h1>
      {apps.length === 0 && <p>{t.none}</p>}
      <p class="actions">
        <a class="button" href={appPaths.register}>
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
              cell: ({ client_id: id, name }) => (
                <a href={appPaths.app(id)}>
                  <UntrustedName name={name} />
                </a>
              ),
            },
            {
              label: t.state,
              cell: ({ state }) => <AppStateLabel {...{ state, messages }} />,
            },
            {
              label: t.installs,
              cell: ({ client_id: id }) => (installCounts.get(id) ?? 0).toLocaleString(language),
            },
            { label: t.clientId, cell: ({ client_id: id }) => <code>{id}</code> },
          ]}
        />
      )}
    </DashboardLayout>
  );
}

/**
 * `GET /partners/{client id}`: an app, its next step and its use each day. Then come its
 * credentials, what merchants see and the events of its connections.
 */
export async function showApp(page: SignedInPage) {
  const { env, settings, user, now, language } = page;
  const app = await requireOwnApp(page);
  const { client_id: clientId } = app;
  const [installCounts, events] = await Promise.all([
    countInstalls(env, [clientId], now),
    listAppEvents(env, clientId),
  ]);
  const issuer = resolveIssuer(settings, page.c.req.url);
  const redeemCall = [
    `curl '${issuer}/oauth/token'`,
    '-d grant_type=authorization_code',
    `-d client_id=${clientId}`,
    '-d code=CODE',
    '-d code_verifier=VERIFIER',
    `-d redirect_uri=${encodeURIComponent(app.redirect_uris[0] ?? '')}`,
  ].join(' \\\n  ');
  const identity = { ...app, verified: verifiedHost(app, now) };
  const transitions = transitionsOf(app);
  const flash = page.done(appFlashes);
  const { partners: messages, partnerTools, appWebhook, scopes } = page.messages;
  const t = messages.app;
  const { app: labels, trial, installs, requests, team } = partnerTools;
  const { reads, writes, dangerous } = groupScopes(app.scopes);
  const granted = [...reads, ...writes, ...dangerous];
  const next = nextSteps[app.state];
  const doors: Readonly<Record<'trial' | 'installs' | 'requests' | 'webhook', Door>> = {
    trial: [appPaths.trial(clientId), trial.open, labels.trialLead],
    installs: [appPaths.installs(clientId), installs.open, labels.installsLead],
    requests: [appPaths.requests(clientId), requests.open, labels.requestsLead],
    webhook: [appPaths.webhook(clientId), appWebhook.open, labels.webhookLead],
  };
  const nextDoor = next === 'withdraw' ? undefined : doors[next];
  const leadsOn = (transition: AppTransition) => transition === next || transition === 'publish';
  return (
    <DashboardLayout
      {...page.dashboard('partners/apps')}
      title={app.name}
      scripts={[copyButtonScript]}
    >
      <div class="named">
        <AppLogo app={identity} {...{ language }} />
        <h1>
          <UntrustedName name={app.name} />
        </h1>
      </div>
      <FlashMessage text={flash && t.flash[flash]} />
      {app.disabled_reason !== null && (
        <p class="notice danger">
          <Interpolate
            text={partnerTools.operatorDisabled}
            parts={{ reason: <bdi>{app.disabled_reason}</bdi> }}
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
        {transitions.filter(leadsOn).map((transition) => (
          <a
            class={transition === next ? 'button' : 'button plain'}
            href={appPaths.transition(clientId, transition)}
          >
            {t[transition]}
          </a>
        ))}
        <ActionMenu
          {...{ language }}
          actions={[
            toAction([appPaths.edit(clientId), t.edit, labels.editLead]),
            toAction([appPaths.logo(clientId), messages.logo.open, labels.logoLead]),
            app.site_url !== null &&
              toAction([appPaths.verify(clientId), messages.domain.open, labels.domainLead]),
            ...transitions
              .filter((one) => !leadsOn(one))
              .map((transition) =>
                toAction(
                  [appPaths.transition(clientId, transition), t[transition], labels.endingLead],
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
          <CopyableCode language={language} label={messages.list.clientId} value={clientId} />
          {app.redirect_uris.map((uri) => (
            <CopyableCode language={language} label={labels.redirectUri} value={uri} />
          ))}
          <CopyableCode language={language} label={labels.redeem} value={redeemCall} />
          <a class="target" href={guidePath(language, 'oauth')}>
            {labels.oauthGuide}
          </a>
        </section>
        <section class="card">
          <h2>{labels.merchants}</h2>
          <dl class="facts">
            {app.owner_id !== user.id && (
              <>
                <dt>{team.owner}</dt>
                <dd>
                  <UntrustedName name={app.partner} />
                </dd>
              </>
            )}
            <dt>{messages.list.installs}</dt>
            <dd>{(installCounts.get(clientId) ?? 0).toLocaleString(language)}</dd>
            <IdentityFacts app={identity} {...{ language }} />
            <dt>{t.registered}</dt>
            <dd>
              <FormattedTime {...{ language }} zone={defaultZone} at={app.created_at} />
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
      <AppEventTable {...{ page, events }} />
    </DashboardLayout>
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
