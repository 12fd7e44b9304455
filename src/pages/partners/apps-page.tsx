import { DashboardLayout, type DashboardProps } from '../../web/components/dashboard-layout.tsx';
import { UntrustedName } from '../../web/components/inline-text.tsx';
import { messagesFor } from '../../web/texts/messages.ts';
import { AppStateLabel, type AppStateName } from './app-status.tsx';

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
export const PartnerAppsPage = ({ dashboard, apps, registerHref }: PartnerAppsPageProps) => {
  const { language } = dashboard.layout;
  const messages = messagesFor(language).partners;
  const t = messages.list;
  return (
    <DashboardLayout {...dashboard} title={t.title}>
      <h1>{t.title}</h1>
      {apps.length === 0 && <p>{t.none}</p>}
      <p>
        <a class="button" href={registerHref}>
          {t.register}
        </a>
      </p>
      {apps.length > 0 && (
        <table>
          <caption>{t.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{t.name}</th>
              <th scope="col">{t.state}</th>
              <th scope="col">{t.installs}</th>
              <th scope="col">{t.clientId}</th>
            </tr>
          </thead>
          <tbody>
            {apps.map((app) => (
              <tr>
                <th scope="row">
                  <a href={app.href}>
                    <UntrustedName name={app.name} />
                  </a>
                </th>
                <td data-label={t.state}>
                  <AppStateLabel state={app.state} messages={messages} />
                </td>
                <td data-label={t.installs}>{app.installs.toLocaleString(language)}</td>
                <td data-label={t.clientId}>
                  <code>{app.clientId}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </DashboardLayout>
  );
};
