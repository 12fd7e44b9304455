import type { Context } from 'hono';
import { connectionsOf } from '../db/grants/connections.ts';
import type { Faces } from '../http/faces.ts';
import { ConfirmPage } from '../pages/confirm-page.tsx';
import { Fill } from '../pages/fill.tsx';
import { GivenName } from '../pages/given-name.tsx';
import { wordsOf } from '../pages/words/words-of.ts';
import { notFound } from '../problem.ts';
import { panelOf } from '../session/panel-of.ts';
import { paths } from '../session/paths.ts';
import { showPage } from '../session/show-page.ts';
import { ticketFor } from '../session/signed-in-form.ts';
import type { Here } from '../session/signed-in.ts';
import { connectedApp } from './connected-app.ts';

/** Asks before an app is parted from a store. 404 for an app that is not connected to it. */
export async function confirmDisconnect(c: Context<Faces>, here: Here) {
  const { store, app, clientId } = await connectedApp(c, here);
  const connections = await connectionsOf(c.env, [store], here.now);
  if (!connections.some((one) => one.clientId === clientId)) throw notFound();
  const action = c.req.path;
  const panel = panelOf(c, 'apps', action);
  const said = wordsOf(panel.frame.language).account.apps;
  const parts = {
    app: <GivenName name={app.name} />,
    store: (
      <strong>
        <bdi>{store.name}</bdi> ({store.alias})
      </strong>
    ),
  };
  const page = (
    <ConfirmPage
      {...{ panel, action }}
      title={said.disconnect}
      question={<Fill text={said.confirm} parts={parts} />}
      paragraphs={[<Fill text={said.consequence} parts={parts} />, said.again]}
      ticket={await ticketFor(c, here, action)}
      submit={said.disconnect}
      isDangerous
      back={paths.connectedApps}
    />
  );
  return showPage(c, page);
}
