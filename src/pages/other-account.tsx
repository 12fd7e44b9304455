import { Ticket } from './form-fields.tsx';
import type { FrameProps } from './frame.tsx';
import { SignedInAs, type Person } from './signed-in-as.tsx';
import { wordsOf } from './words/words-of.ts';

export interface OtherAccountProps {
  frame: FrameProps;
  person: Person;
  /** Where the form goes: signing out, then back to here. */
  action: string;
  ticket: string;
}

/** As whom somebody is signed in, with a way to change that. */
export const OtherAccount = ({ frame, person, action, ticket }: OtherAccountProps) => (
  <form method="post" action={action} class="whoami">
    <Ticket ticket={ticket} />
    <p>
      <SignedInAs frame={frame} person={person} />
    </p>
    <button class="quiet">{wordsOf(frame.language).session.other}</button>
  </form>
);
