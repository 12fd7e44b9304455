import { Fill } from './fill.tsx';
import { Ticket } from './form-fields.tsx';
import { Frame, type FrameProps } from './frame.tsx';
import { wordsOf } from './words/words-of.ts';

export interface Person {
  name: string;
  email: string;
}

export interface SessionProps {
  frame: FrameProps;
  person: Person;
  ticket: string;
  signOut: string;
  signOutEverywhere: string;
}

/** Who is signed in, and the ways out. */
export const SessionPage = ({
  frame,
  person,
  ticket,
  signOut,
  signOutEverywhere,
}: SessionProps) => {
  const said = wordsOf(frame.language).session;
  return (
    <Frame {...frame} title={said.title}>
      <h1>{said.title}</h1>
      <p>
        <SignedInAs frame={frame} person={person} />
      </p>
      <form method="post" action={signOut} class="actions wide">
        <Ticket ticket={ticket} />
        <button>{said.signOut}</button>
      </form>
      <form method="post" action={signOutEverywhere}>
        <Ticket ticket={ticket} />
        <div class="actions wide">
          <button class="plain" aria-describedby="everywhere">
            {said.signOutEverywhere}
          </button>
        </div>
        <p class="muted" id="everywhere">
          {said.everywhereHint}
        </p>
      </form>
    </Frame>
  );
};

/** "Signed in as ...". */
export const SignedInAs = ({ frame, person }: { frame: FrameProps; person: Person }) => (
  <Fill
    text={wordsOf(frame.language).session.as}
    parts={{
      name: (
        <strong>
          <bdi>{person.name}</bdi>
        </strong>
      ),
      email: person.email,
    }}
  />
);
