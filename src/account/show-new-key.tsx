import type { Context } from 'hono';
import type { Faces } from '../http/faces.ts';
import { NewKeyPage, type NewKeyFault } from '../pages/new-key-page.tsx';
import { panelOf } from '../session/panel-of.ts';
import { paths } from '../session/paths.ts';
import { showPage } from '../session/show-page.ts';
import { ticketFor } from '../session/signed-in-form.ts';
import type { Here } from '../session/signed-in.ts';
import { keyPaths } from './key-paths.ts';

/** `GET /account/keys/new`, and the same page again (422) when something is wrong. */
export async function showNewKey(
  c: Context<Faces>,
  here: Here,
  { name = '', fault }: { name?: string; fault?: NewKeyFault } = {},
) {
  const page = (
    <NewKeyPage
      panel={panelOf(c, 'keys', keyPaths.create)}
      action={keyPaths.create}
      ticket={await ticketFor(c, here, keyPaths.create)}
      name={name}
      fault={fault}
      back={paths.keys}
    />
  );
  return showPage(c, page, { status: fault ? 422 : 200 });
}
