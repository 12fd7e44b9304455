import type { DangerousName, ScopeName } from './consent-scopes.tsx';
import { Fill } from './fill.tsx';
import type { FrameProps } from './frame.tsx';
import { GivenName } from './given-name.tsx';
import { MomentText } from './moment-text.tsx';
import { News } from './news.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { wordsOf } from './words/words-of.ts';

/** An app that may use a store. */
export interface ConnectedApp {
  name: string;
  publisher: string;
  reads: readonly ScopeName[];
  writes: readonly ScopeName[];
  dangerous: readonly DangerousName[];
  /** Epoch milliseconds. */
  connectedAt: number;
  usedAt: number;
  disconnectHref: string;
}

export interface ConnectedAppsProps {
  panel: PanelProps;
  stores: readonly { name: string; alias: string; zone: string; apps: readonly ConnectedApp[] }[];
  /** Whether one has just been disconnected. */
  isDisconnected: boolean;
}

/** The apps of each store, with what they may do and the way to end it. */
export const ConnectedAppsPage = ({ panel, stores, isDisconnected }: ConnectedAppsProps) => {
  const words = wordsOf(panel.frame.language);
  const said = words.account.apps;
  return (
    <Panel {...panel} title={said.title}>
      <h1>{said.title}</h1>
      <News text={isDisconnected ? said.disconnected : undefined} />
      {stores.length === 0 ? <p>{words.account.start.noStores}</p> : <p>{said.lead}</p>}
      {stores.map(({ name, alias, zone, apps }) => (
        <section aria-labelledby={`store-${alias}`}>
          <h2 id={`store-${alias}`}>
            <bdi>{name}</bdi> <span class="muted">({alias})</span>
          </h2>
          {apps.length === 0 && <p class="measure">{said.none}</p>}
          {apps.map((app) => (
            <AppCard app={app} zone={zone} frame={panel.frame} />
          ))}
        </section>
      ))}
      {stores.some(({ apps }) => apps.length > 0) && <p class="muted">{said.usedHint}</p>}
    </Panel>
  );
};

const AppCard = ({ app, zone, frame }: { app: ConnectedApp; zone: string; frame: FrameProps }) => {
  const { language } = frame;
  const { scopes, account } = wordsOf(language);
  const said = account.apps;
  const name = <GivenName name={app.name} />;
  const harmless = [...app.reads, ...app.writes];
  return (
    <article class="card">
      <h3>{name}</h3>
      <p class="muted">
        <Fill text={said.publisher} parts={{ publisher: <GivenName name={app.publisher} /> }} />
      </p>
      <dl class="facts">
        <dt>{said.connected}</dt>
        <dd>
          <MomentText {...{ language, zone }} at={app.connectedAt} />
        </dd>
        <dt>{said.used}</dt>
        <dd>
          <MomentText {...{ language, zone }} at={app.usedAt} />
        </dd>
      </dl>
      <details>
        <summary>
          {said.may.replace('{count}', String(harmless.length + app.dangerous.length))}
        </summary>
        <ul class="scopes">
          {app.dangerous.map((scope) => (
            <li>
              <strong>{scopes.meanings[scope]}</strong> {scopes.consequences[scope]}
            </li>
          ))}
          {harmless.map((scope) => (
            <li>{scopes.meanings[scope]}</li>
          ))}
        </ul>
      </details>
      <p class="actions">
        <a class="button danger" href={app.disconnectHref}>
          <span aria-hidden="true">{said.disconnect}</span>
          <span class="visually-hidden">
            <Fill text={said.disconnectApp} parts={{ app: name }} />
          </span>
        </a>
      </p>
    </article>
  );
};
