import type { Context } from 'hono';
import { isDangerous } from '../access/scope-classes.ts';
import { scopes } from '../access/scopes.ts';
import type { Faces } from '../http/faces.ts';
import type { AppFault } from '../pages/app-form-faults.ts';
import { AppFormPage } from '../pages/app-form-page.tsx';
import { panelOf } from '../session/panel-of.ts';
import { showPage } from '../session/show-page.ts';
import { ticketFor } from '../session/signed-in-form.ts';
import type { Here } from '../session/signed-in.ts';
import type { TypedApp } from './typed-app.ts';

/** The form about an app, new or known (`appName`), and the same page again (422) with all that is wrong. */
export async function showAppForm(
  c: Context<Faces>,
  here: Here,
  given: { action: string; back: string; typed: TypedApp; appName?: string; faults?: AppFault[] },
) {
  const { action, faults = [] } = given;
  const page = (
    <AppFormPage
      {...given}
      panel={panelOf(c, 'partners', action)}
      ticket={await ticketFor(c, here, action)}
      scopes={scopes.map((scope) => ({
        scope,
        isChosen: given.typed.scopes.includes(scope),
        isDangerous: isDangerous(scope),
      }))}
      faults={faults}
    />
  );
  return showPage(c, page, { status: faults.length > 0 ? 422 : 200 });
}
