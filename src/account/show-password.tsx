import type { Context } from 'hono';
import type { Faces } from '../http/faces.ts';
import { PasswordPage, type PasswordFault } from '../pages/password-page.tsx';
import { panelOf } from '../session/panel-of.ts';
import { paths } from '../session/paths.ts';
import { showPage } from '../session/show-page.ts';
import { ticketFor } from '../session/signed-in-form.ts';
import type { Here } from '../session/signed-in.ts';

/** `GET /account/password`, and the same page again when something is wrong: 422, or 429 with seconds to wait. */
export async function showPassword(
  c: Context<Faces>,
  here: Here,
  { faults = [], wait }: { faults?: readonly PasswordFault[]; wait?: number } = {},
) {
  const page = (
    <PasswordPage
      panel={panelOf(c, 'account', paths.password)}
      action={paths.password}
      ticket={await ticketFor(c, here, paths.password)}
      email={here.person.user.email}
      faults={faults}
      wait={wait}
      back={paths.account}
    />
  );
  if (wait !== undefined) {
    return showPage(c, page, { status: 429, headers: { 'Retry-After': String(wait) } });
  }
  return showPage(c, page, { status: faults.length > 0 ? 422 : 200 });
}
