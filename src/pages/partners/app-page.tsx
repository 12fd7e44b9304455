import { copyButtonScript } from '../../web/assets/assets.ts';
import { CopyableCode } from '../../web/components/copyable-code.tsx';
import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { FlashMessage, Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import type { DangerousScopeName, ScopeName } from '../../web/components/scope-list.tsx';
import { FormattedTime } from '../../web/components/time.tsx';
import { messagesFor } from '../../web/texts/messages.ts';
import {
  AppEventTable,
  AppStateLabel,
  type AppEventView,
  type AppStateName,
} from './app-status.tsx';

/** The results of a form that the page can show. */
export const appFlashes = ['registered', 'saved', 'published', 'withdrawn', 'disabled'] as const;

interface AppPageProps {
  dashboard: DashboardProps;
  app: {
    name: string;
    publisher: string;
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
  refusalsHref: string;
  webhookHref: string;
  guides: Readonly<Record<'oauth' | 'webhooks' | 'testStores', string>>;
  transitions: readonly { transition: 'publish' | 'withdraw' | 'disable'; href: string }[];
  flash: (typeof appFlashes)[number] | undefined;
}

/** The likely next step in each state. */
const nextSteps = { draft: 'trial', published: 'installs', disabled: 'withdraw' } as const;

/** One app of the partner: its registration, its actions and its security events. */
export const AppPage = ({ dashboard, app, zone, ...props }: AppPageProps) => {
  const { language } = dashboard.layout;
  const { partners: messages, partnerTools, appWebhook, scopes } = messagesFor(language);
  const t = messages.app;
  const { app: labels, trial, installs, refusals, team, testStores } = partnerTools;
  const classOf = (step: string) => (nextSteps[app.state] === step ? 'button' : 'button plain');
  return (
    <DashboardLayout {...dashboard} title={app.name} scripts={[copyButtonScript]}>
      <h1>
        <UntrustedName name={app.name} />
      </h1>
      <FlashMessage text={props.flash && t.flash[props.flash]} />
      {props.operatorsReason !== undefined && (
        <p class="notice danger">
          <Interpolate
            text={partnerTools.operatorDisabled}
            parts={{ reason: <bdi>{props.operatorsReason}</bdi> }}
          />
        </p>
      )}
      <CopyableCode language={language} label={messages.list.clientId} value={app.clientId} />
      <p class="actions">
        <a class={classOf('trial')} href={props.trialHref}>
          {trial.open}
        </a>
        <a class={classOf('installs')} href={props.installsHref}>
          {installs.open}
        </a>
        <a class="button plain" href={props.refusalsHref}>
          {refusals.open}
        </a>
        <a class="button plain" href={props.webhookHref}>
          {appWebhook.open}
        </a>
      </p>
      <dl class="facts">
        {props.partner !== undefined && (
          <>
            <dt>{team.owner}</dt>
            <dd>
              <UntrustedName name={props.partner} />
            </dd>
          </>
        )}
        <dt>{messages.list.state}</dt>
        <dd>
          <AppStateLabel state={app.state} messages={messages} />. {messages.stateHints[app.state]}
        </dd>
        <dt>{messages.list.installs}</dt>
        <dd>{app.installs.toLocaleString(language)}</dd>
        <dt>{messages.form.publisher}</dt>
        <dd>
          <UntrustedName name={app.publisher} />
        </dd>
        <dt>{t.registered}</dt>
        <dd>
          <FormattedTime {...{ language, zone }} at={app.registeredAt} />
        </dd>
        <dt>{messages.form.scopes}</dt>
        <dd>
          <ul>
            {[...app.reads, ...app.writes, ...app.dangerous].map((scope) => (
              <li>
                <code>{scope}</code> {scopes.meanings[scope]}
              </li>
            ))}
          </ul>
        </dd>
      </dl>
      {app.redirectUris.map((uri) => (
        <CopyableCode language={language} label={labels.redirectUri} value={uri} />
      ))}
      <CopyableCode language={language} label={labels.redeem} value={props.redeemCall} />
      <p class="actions">
        <a class="button plain" href={props.editHref}>
          {t.edit}
        </a>
        {props.transitions.map(({ transition, href }) => (
          <a class={transition === 'disable' ? 'button danger' : classOf(transition)} href={href}>
            {t[transition]}
          </a>
        ))}
      </p>
      <h2>{labels.guides}</h2>
      <ul>
        <li>
          <a href={props.guides.oauth}>{labels.oauthGuide}</a>
        </li>
        <li>
          <a href={props.guides.webhooks}>{labels.webhookGuide}</a>
        </li>
        <li>
          <a href={props.guides.testStores}>{testStores.title}</a>
        </li>
      </ul>
      <h2>{t.events}</h2>
      <AppEventTable events={props.events} {...{ language, zone }} />
    </DashboardLayout>
  );
};
