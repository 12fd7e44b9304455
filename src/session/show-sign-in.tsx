import type { Context } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Faces } from '../http/faces.ts';
import { SignInPage, type SignInProps } from '../pages/sign-in-page.tsx';
import { settingsOf } from '../settings.ts';
import { FormTicket } from './form-ticket.ts';
import { lifetimes } from './lifetimes.ts';
import { paths } from './paths.ts';
import { frameOf, showPage } from './show-page.ts';
import type { Visitor } from './visitor.ts';

/** What the ticket of a sign-in form carries. */
export interface Waiting {
  /** Where to go on: a local path that the program made, never one that was sent. */
  to: string;
  /** Name of the app that sent the merchant here. */
  app?: string;
}

export const signInTicket = new FormTicket<Waiting>('sign-in');

/** The sign-in page, for whoever comes to a page that needs somebody. */
export async function showSignIn(
  c: Context<Faces>,
  visitor: Visitor,
  waiting: Waiting,
  {
    now,
    status = 200,
    headers = {},
    ...shown
  }: Pick<SignInProps, 'email' | 'fault' | 'news'> & {
    now: number;
    status?: ContentfulStatusCode;
    headers?: Record<string, string>;
  },
) {
  const until = now + lifetimes.form;
  const ticket = await signInTicket.seal(settingsOf(c.env), visitor, waiting, until);
  const frame = frameOf(c, waiting.to);
  const page = (
    <SignInPage {...shown} {...{ frame, ticket }} action={paths.session} waitingApp={waiting.app} />
  );
  return showPage(c, page, { status, headers });
}
