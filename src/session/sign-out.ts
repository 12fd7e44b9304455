import type { Context } from 'hono';
import { openShard, type Shard } from '../db/open.ts';
import type { Faces } from '../http/faces.ts';
import { settingsOf } from '../settings.ts';
import { FormTicket } from './form-ticket.ts';
import { lifetimes } from './lifetimes.ts';
import { readForm } from './read-form.ts';
import { showTicketFault } from './show-fault.tsx';
import { giveCookie, newVisitorId, visitorOf, type Visitor } from './visitor.ts';

interface Leaving {
  /** Where to go on: a local path that the program made. */
  to: string;
}

const leavingTicket = new FormTicket<Leaving>('sign-out');

/** The ticket of a form that signs out and goes on to a local path. */
export const signOutTicket = (c: Context<Faces>, visitor: Visitor, to: string, now: number) =>
  leavingTicket.seal(settingsOf(c.env), visitor, { to }, now + lifetimes.form);

/** Ends sessions as `end` says, gives the browser a new cookie and goes on (303) to where the ticket says. */
export async function signOut(
  c: Context<Faces>,
  end: (directory: Shard, idHash: string) => Promise<void>,
  to?: string,
) {
  const [form, visitor] = [await readForm(c), await visitorOf(c)];
  const opened = await leavingTicket.open(settingsOf(c.env), visitor, form, Date.now());
  if ('fault' in opened) return showTicketFault(c, opened.fault, opened.data?.to);
  await end(openShard(c.env.DIRECTORY), visitor.idHash);
  giveCookie(c, newVisitorId());
  return c.redirect(to ?? opened.data.to, 303);
}
