import { AppState, type AppStateName } from './app-state.tsx';
import { GivenName } from './given-name.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { wordsOf } from './words/words-of.ts';

export interface PartnerAppsProps {
  panel: PanelProps;
  apps: readonly {
    name: string;
    clientId: string;
    state: AppStateName;
    installs: number;
    href: string;
  }[];
  registerHref: string;
}

/** The apps of a partner. */
export const PartnerAppsPage = ({ panel, apps, registerHref }: PartnerAppsProps) => {
  const { language } = panel.frame;
  const words = wordsOf(language).partners;
  const said = words.list;
  return (
    <Panel {...panel} title={said.title}>
      <h1>{said.title}</h1>
      {apps.length === 0 && <p>{said.none}</p>}
      <p>
        <a class="button" href={registerHref}>
          {said.register}
        </a>
      </p>
      {apps.length > 0 && (
        <table>
          <caption>{said.caption}</caption>
          <thead>
            <tr>
              <th scope="col">{said.name}</th>
              <th scope="col">{said.state}</th>
              <th scope="col">{said.installs}</th>
              <th scope="col">{said.clientId}</th>
            </tr>
          </thead>
          <tbody>
            {apps.map((app) => (
              <tr>
                <th scope="row">
                  <a href={app.href}>
                    <GivenName name={app.name} />
                  </a>
                </th>
                <td data-label={said.state}>
                  <AppState state={app.state} words={words} />
                </td>
                <td data-label={said.installs}>{app.installs.toLocaleString(language)}</td>
                <td data-label={said.clientId}>
                  <code>{app.clientId}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
};
