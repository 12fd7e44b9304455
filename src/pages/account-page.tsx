import { Ticket } from './form-fields.tsx';
import { News } from './news.tsx';
import { Panel, type PanelProps } from './panel.tsx';
import { SignedInAs, type Person } from './signed-in-as.tsx';
import { wordsOf } from './words/words-of.ts';

export interface AccountProps {
  panel: PanelProps;
  person: Person;
  stores: readonly { name: string; alias: string; role: 'owner' | 'manager' }[];
  passwordHref: string;
  appsHref: string;
  isPasswordNew: boolean;
  /** Of both forms that sign out. */
  ticket: string;
  signOut: string;
  signOutEverywhere: string;
}

/** Who is signed in, what they manage, and the ways out. */
export const AccountPage = (props: AccountProps) => {
  const { panel, person, stores, ticket } = props;
  const words = wordsOf(panel.frame.language);
  const said = words.account.start;
  return (
    <Panel {...panel} title={said.title}>
      <h1>{said.title}</h1>
      <News text={props.isPasswordNew ? said.passwordChanged : undefined} />
      <p>
        <SignedInAs frame={panel.frame} person={person} />
      </p>
      <h2>{said.stores}</h2>
      {stores.length === 0 ? (
        <p>{said.noStores}</p>
      ) : (
        <>
          <ul class="stores measure">
            {stores.map(({ name, alias, role }) => (
              <li>
                <strong>
                  <bdi>{name}</bdi>
                </strong>{' '}
                <span class="muted">
                  {alias} · {words.store[role]}
                </span>
              </li>
            ))}
          </ul>
          <p>
            <a class="target" href={props.appsHref}>
              {said.seeApps}
            </a>
          </p>
        </>
      )}
      <h2>{said.password}</h2>
      <p>
        <a class="button plain" href={props.passwordHref}>
          {said.changePassword}
        </a>
      </p>
      <h2>{said.leave}</h2>
      <form method="post" action={props.signOut} class="actions">
        <Ticket ticket={ticket} />
        <button>{words.session.signOut}</button>
      </form>
      <form method="post" action={props.signOutEverywhere}>
        <Ticket ticket={ticket} />
        <p class="muted" id="everywhere">
          {words.session.everywhereHint}
        </p>
        <button class="plain" aria-describedby="everywhere">
          {words.session.signOutEverywhere}
        </button>
      </form>
    </Panel>
  );
};
