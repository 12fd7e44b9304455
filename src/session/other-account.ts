import type { Context } from 'hono';
import type { SignedIn } from '../db/sessions.ts';
import type { Faces } from '../http/faces.ts';
import type { FrameProps } from '../pages/frame.tsx';
import type { OtherAccountProps } from '../pages/other-account.tsx';
import { paths } from './paths.ts';
import { signOutTicket } from './sign-out.ts';
import type { Visitor } from './visitor.ts';

/** The line that says as whom somebody is signed in; its form signs out and comes back to `to`, a local path. */
export async function otherAccount(
  c: Context<Faces>,
  frame: FrameProps,
  { visitor, person, to, now }: { visitor: Visitor; person: SignedIn; to: string; now: number },
): Promise<OtherAccountProps> {
  const ticket = await signOutTicket(c, visitor, to, now);
  return { frame, person: person.user, action: paths.end, ticket };
}
