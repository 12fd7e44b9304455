import type { Context } from 'hono';
import type { Faces } from '../http/faces.ts';
import { AccountPage } from '../pages/account-page.tsx';
import { panelOf } from '../session/panel-of.ts';
import { paths } from '../session/paths.ts';
import { showPage } from '../session/show-page.ts';
import { signOutTicket } from '../session/sign-out.ts';
import type { Here } from '../session/signed-in.ts';

const signedOut = `${paths.session}?signed-out=here`;

/** `GET /account`: who is signed in. */
export async function showAccount(c: Context<Faces>, { visitor, person, now }: Here) {
  const page = (
    <AccountPage
      panel={panelOf(c, 'account', paths.account)}
      person={person.user}
      stores={person.stores}
      passwordHref={paths.password}
      appsHref={paths.connectedApps}
      isPasswordNew={c.req.query('done') === 'password'}
      ticket={await signOutTicket(c, visitor, signedOut, now)}
      signOut={paths.end}
      signOutEverywhere={paths.endEverywhere}
    />
  );
  return showPage(c, page);
}
