import type { DangerousScopeName, ScopeName } from '../components/scope-list.tsx';
import { FlashMessage, UntrustedName } from '../components/text.tsx';
import { FormattedTime } from '../components/time.tsx';
import { messagesFor } from '../i18n/messages.ts';
import { DashboardLayout, type DashboardProps } from '../layout/dashboard-layout.tsx';
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
  events: readonly AppEventView[];
  zone: string;
  editHref: string;
  transitions: readonly { transition: 'publish' | 'withdraw' | 'disable'; href: string }[];
  flash: (typeof appFlashes)[number] | undefined;
}

const buttonClasses = {
  publish: 'button',
  withdraw: 'button plain',
  disable: 'button danger',
} as const;

/** One app of the partner: its registration, its actions and its security events. */
export const AppPage = ({ dashboard, app, zone, ...props }: AppPageProps) => {
  const { language } = dashboard.layout;
  const { partners: messages, scopes } = messagesFor(language);
  const t = messages.app;
  return (
    <DashboardLayout {...dashboard} title={app.name}>
      <h1>
        <UntrustedName name={app.name} />
      </h1>
      <FlashMessage text={props.flash && t.flash[props.flash]} />
      <dl class="facts">
        <dt>{messages.list.clientId}</dt>
        <dd>
          <code>{app.clientId}</code>
        </dd>
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
        <dt>{messages.form.uris}</dt>
        <dd>
          <ul>
            {app.redirectUris.map((uri) => (
              <li>
                <code>{uri}</code>
              </li>
            ))}
          </ul>
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
      <p class="actions">
        <a class="button plain" href={props.editHref}>
          {t.edit}
        </a>
        {props.transitions.map(({ transition, href }) => (
          <a class={buttonClasses[transition]} href={href}>
            {t[transition]}
          </a>
        ))}
      </p>
      <h2>{t.events}</h2>
      <AppEventTable events={props.events} {...{ language, zone }} />
    </DashboardLayout>
  );
};
