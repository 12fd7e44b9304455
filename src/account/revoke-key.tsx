import type { Context } from 'hono';
import { forgetPair } from '../access/header-pair.ts';
import { findOwnPair, revokePair } from '../db/header-pairs.ts';
import { openShard } from '../db/open.ts';
import type { Faces } from '../http/faces.ts';
import { ConfirmPage } from '../pages/confirm-page.tsx';
import { Fill } from '../pages/fill.tsx';
import { wordsOf } from '../pages/words/words-of.ts';
import { notFound } from '../problem.ts';
import { panelOf } from '../session/panel-of.ts';
import { paths } from '../session/paths.ts';
import { showPage } from '../session/show-page.ts';
import { ticketFor } from '../session/signed-in-form.ts';
import type { Here } from '../session/signed-in.ts';

/** Asks before a header pair is revoked. 404 for a pair of somebody else, and for one that is revoked. */
export async function confirmRevoke(c: Context<Faces>, here: Here) {
  const directory = openShard(c.env.DIRECTORY);
  const pair = await findOwnPair(directory, here.person.user.id, idOf(c));
  if (!pair) throw notFound();
  const action = c.req.path;
  const panel = panelOf(c, 'keys', action);
  const said = wordsOf(panel.frame.language).account.keys;
  const page = (
    <ConfirmPage
      {...{ panel, action }}
      title={said.revoke}
      question={<Fill text={said.confirm} parts={{ name: <bdi>{pair.name}</bdi> }} />}
      paragraphs={[`${said.ends}: ${pair.lastFour}`, said.consequence]}
      ticket={await ticketFor(c, here, action)}
      submit={said.revoke}
      isDangerous
      back={paths.keys}
    />
  );
  return showPage(c, page);
}

/** Revokes a header pair; this isolate refuses it from now on, the others within 30 seconds. */
export async function revoke(c: Context<Faces>, { person, now }: Here) {
  const id = idOf(c);
  await revokePair(openShard(c.env.DIRECTORY), { userId: person.user.id, id, now });
  forgetPair(id);
  return c.redirect(`${paths.keys}?done=revoked`, 303);
}

function idOf(c: Context<Faces>): number {
  const { id = '' } = c.req.param();
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound();
  return Number(id);
}
