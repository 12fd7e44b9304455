import type { Context } from 'hono';
import { countInstalls } from '../db/grants/installs.ts';
import type { Faces } from '../http/faces.ts';
import { ConfirmPage } from '../pages/confirm-page.tsx';
import { Fill } from '../pages/fill.tsx';
import { GivenName } from '../pages/given-name.tsx';
import { wordsOf } from '../pages/words/words-of.ts';
import { panelOf } from '../session/panel-of.ts';
import { showPage } from '../session/show-page.ts';
import { ticketFor } from '../session/signed-in-form.ts';
import type { Here } from '../session/signed-in.ts';
import { appPaths, type Move } from './app-paths.ts';
import { movesFrom } from './moves-from.ts';
import { ownApp } from './own-app.ts';

/** Asks before an app changes its state, and says what comes of it. What is so already leads back to the app. */
export const confirmMove = (move: Move) => async (c: Context<Faces>, here: Here) => {
  const app = await ownApp(c, here);
  const { client_id: clientId } = app;
  const back = appPaths.app(clientId);
  if (!movesFrom[app.state].includes(move)) return c.redirect(back, 303);
  const installs = await countInstalls(c.env, [clientId], here.now);
  const action = appPaths.move(clientId, move);
  const panel = panelOf(c, 'partners', action);
  const { confirm: said, app: buttons } = wordsOf(panel.frame.language).partners;
  const isRevival = app.state === 'disabled';
  const isEnd = move !== 'publish' && !isRevival;
  const paragraphs = [
    isRevival ? said.reviveLead : said[`${move}Lead`],
    ...(move === 'disable' ? [said.disableLater] : []),
    ...(isEnd ? [said.installs.replace('{count}', String(installs.get(clientId) ?? 0))] : []),
  ];
  const page = (
    <ConfirmPage
      {...{ panel, paragraphs, action, back }}
      title={buttons[move]}
      question={<Fill text={said[move]} parts={{ app: <GivenName name={app.name} /> }} />}
      ticket={await ticketFor(c, here, action)}
      submit={buttons[move]}
      isDangerous={isEnd}
    />
  );
  return showPage(c, page);
};
