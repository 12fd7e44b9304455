import type { Context } from 'hono';
import type { Faces } from '../http/faces.ts';
import { forbidden } from '../problem.ts';
import { settingsOf } from '../settings.ts';
import { currentPerson } from './current-person.ts';
import { FormTicket } from './form-ticket.ts';
import { lifetimes } from './lifetimes.ts';
import { readForm } from './read-form.ts';
import { showTicketFault } from './show-fault.tsx';
import type { Here } from './signed-in.ts';
import { visitorOf } from './visitor.ts';

interface Bound {
  /** The path that the form goes to: its ticket is good for no other one. */
  action: string;
}

const boundTicket = new FormTicket<Bound>('signed-in-form');

/** The ticket of a form that goes to a path; the page that shows it has the same path. */
export const ticketFor = (c: Context<Faces>, { visitor, now }: Here, action: string) =>
  boundTicket.seal(settingsOf(c.env), visitor, { action }, now + lifetimes.form);

/**
 * Takes a form of somebody who is signed in. 400 and 403 for one that our page at this path did not make for
 * this browser; whoever is signed out meanwhile is sent to that page (303), which asks to sign in.
 */
export const takingForm =
  (take: (c: Context<Faces>, here: Here, form: URLSearchParams) => Response | Promise<Response>) =>
  async (c: Context<Faces>) => {
    const now = Date.now();
    const [form, visitor] = [await readForm(c), await visitorOf(c)];
    const opened = await boundTicket.open(settingsOf(c.env), visitor, form, now);
    if ('fault' in opened) return showTicketFault(c, opened.fault, opened.data?.action);
    if (opened.data.action !== c.req.path) throw forbidden();
    const person = await currentPerson(c, visitor, now);
    if (!person) return c.redirect(c.req.path, 303);
    return take(c, { visitor, person, now }, form);
  };
