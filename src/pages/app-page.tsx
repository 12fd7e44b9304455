import { AppEvents, type ShownEvent } from './app-events.tsx';
import { AppState, type AppStateName } from './app-state.tsx';
import type { DangerousName, ScopeName } from './consent-scopes.tsx';
import { GivenName } from './given-name.tsx';
import { MomentText } from './moment-text.tsx';
import { News } from './news.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { wordsOf } from './words/words-of.ts';

/** What may just have been done. */
export const appNews = ['registered', 'saved', 'published', 'withdrawn', 'disabled'] as const;

export interface AppProps {
  panel: PanelProps;
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
    dangerous: readonly DangerousName[];
  };
  events: readonly ShownEvent[];
  zone: string;
  editHref: string;
  moves: readonly { move: 'publish' | 'withdraw' | 'disable'; href: string }[];
  news: (typeof appNews)[number] | undefined;
}

const looks = { publish: 'button', withdraw: 'button plain', disable: 'button danger' } as const;

/** One app of a partner. */
export const AppPage = ({ panel, app, zone, ...props }: AppProps) => {
  const { language } = panel.frame;
  const { partners: words, scopes } = wordsOf(language);
  const said = words.app;
  return (
    <Panel {...panel} title={app.name}>
      <h1>
        <GivenName name={app.name} />
      </h1>
      <News text={props.news && said.news[props.news]} />
      <dl class="facts">
        <dt>{words.list.clientId}</dt>
        <dd>
          <code>{app.clientId}</code>
        </dd>
        <dt>{words.list.state}</dt>
        <dd>
          <AppState state={app.state} words={words} />. {words.stateHints[app.state]}
        </dd>
        <dt>{words.list.installs}</dt>
        <dd>{app.installs.toLocaleString(language)}</dd>
        <dt>{words.form.publisher}</dt>
        <dd>
          <GivenName name={app.publisher} />
        </dd>
        <dt>{said.registered}</dt>
        <dd>
          <MomentText {...{ language, zone }} at={app.registeredAt} />
        </dd>
        <dt>{words.form.uris}</dt>
        <dd>
          <ul>
            {app.redirectUris.map((uri) => (
              <li>
                <code>{uri}</code>
              </li>
            ))}
          </ul>
        </dd>
        <dt>{words.form.scopes}</dt>
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
          {said.edit}
        </a>
        {props.moves.map(({ move, href }) => (
          <a class={looks[move]} href={href}>
            {said[move]}
          </a>
        ))}
      </p>
      <h2>{said.events}</h2>
      <AppEvents events={props.events} {...{ language, zone }} />
    </Panel>
  );
};
