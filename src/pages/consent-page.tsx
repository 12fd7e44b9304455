import { settleClicks } from './assets.ts';
import { CarefulScopes, Scopes, type DangerousName, type ScopeName } from './consent-scopes.tsx';
import { Fill } from './fill.tsx';
import { Ticket } from './form-fields.tsx';
import { Frame, type FrameProps } from './frame.tsx';
import { GivenName } from './given-name.tsx';
import { OtherAccount, type OtherAccountProps } from './other-account.tsx';
import { wordsOf } from './words/words-of.ts';

export interface ConsentProps {
  frame: FrameProps;
  action: string;
  ticket: string;
  app: { name: string; publisher: string; isDraft: boolean };
  store: { name: string; alias: string };
  /** The choice of stores, if there is one. */
  storesHref?: string | undefined;
  reads: readonly ScopeName[];
  writes: readonly ScopeName[];
  dangerous: readonly DangerousName[];
  /** Those of `reads` that open personal data of others. */
  personal: readonly ScopeName[];
  returnsTo: { host: string; isThisDevice: boolean };
  other: OtherAccountProps;
}

/** What an app asks for, and the two answers. */
export const ConsentPage = (props: ConsentProps) => {
  const { frame, app, store, personal, returnsTo } = props;
  const words = wordsOf(frame.language);
  const said = words.consent;
  const name = <GivenName name={app.name} />;
  return (
    <Frame {...frame} title={said.title} scripts={[settleClicks]}>
      <h1>
        <Fill text={said.heading} parts={{ app: name }} />
      </h1>
      <p class="muted">
        <Fill text={said.publisher} parts={{ publisher: <GivenName name={app.publisher} /> }} />
      </p>
      <p class="lead">
        <Fill
          text={said.asks}
          parts={{
            app: name,
            store: (
              <strong>
                <bdi>{store.name}</bdi> ({store.alias})
              </strong>
            ),
          }}
        />
      </p>
      {props.storesHref && (
        <p>
          <a class="target" href={props.storesHref}>
            {words.store.chooseAnother}
          </a>
        </p>
      )}
      {app.isDraft && <p class="notice">{said.draft}</p>}
      <Scopes heading={said.sees} scopes={props.reads} {...{ words, personal }}>
        <li>{said.always}</li>
      </Scopes>
      {props.writes.length > 0 && (
        <Scopes heading={said.changes} scopes={props.writes} words={words} />
      )}
      {props.dangerous.length > 0 && <CarefulScopes scopes={props.dangerous} words={words} />}
      <p class={returnsTo.isThisDevice ? 'notice' : undefined}>
        <Fill
          text={returnsTo.isThisDevice ? said.returnsLocal : said.returns}
          parts={{ host: <strong class="host">{returnsTo.host}</strong> }}
        />
      </p>
      <p>{said.disconnect}</p>
      <OtherAccount {...props.other} />
      <form method="post" action={props.action} class="actions wide decision">
        <Ticket ticket={props.ticket} />
        <button name="decision" value="deny" class="plain">
          {said.deny}
        </button>
        <button name="decision" value="approve" data-settle>
          {said.approve}
        </button>
      </form>
    </Frame>
  );
};
