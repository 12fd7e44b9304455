import { Fill } from './fill.tsx';
import type { FrameProps } from './frame.tsx';
import { wordsOf } from './words/words-of.ts';

export interface Person {
  name: string;
  email: string;
}

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
