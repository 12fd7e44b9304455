import type { Context } from 'hono';
import type { SignedIn } from '../db/sessions.ts';
import type { Faces } from '../http/faces.ts';
import { currentPerson } from './current-person.ts';
import { languageParameter } from './language.ts';
import { showSignIn } from './show-sign-in.tsx';
import { visitorOf, type Visitor } from './visitor.ts';
import { withParameter } from './with-parameter.ts';

/** Somebody who is signed in, in front of a page. */
export interface Here {
  visitor: Visitor;
  person: SignedIn;
  /** Epoch milliseconds. */
  now: number;
}

/** Shows a page to whoever is signed in; everybody else gets the sign-in page, which leads back to it. */
export const forSignedIn =
  (show: (c: Context<Faces>, here: Here) => Response | Promise<Response>) =>
  async (c: Context<Faces>) => {
    const now = Date.now();
    const visitor = await visitorOf(c);
    const person = await currentPerson(c, visitor, now);
    if (person) return show(c, { visitor, person, now });
    const { pathname, search } = new URL(c.req.url);
    const to = withParameter(pathname + search, languageParameter);
    return showSignIn(c, visitor, { to }, { now });
  };
