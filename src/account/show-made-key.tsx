import type { Context } from 'hono';
import type { Faces } from '../http/faces.ts';
import { MadeKeyPage } from '../pages/made-key-page.tsx';
import { panelOf } from '../session/panel-of.ts';
import { paths } from '../session/paths.ts';
import { showPage } from '../session/show-page.ts';
import type { Here } from '../session/signed-in.ts';
import { takeOver } from './made-pair.ts';

/** `GET /account/keys/made`: the pair that was just made, this once. */
export async function showMadeKey(c: Context<Faces>, here: Here) {
  const pair = await takeOver(c, here);
  // Asking for it in another language would be asking again.
  const { frame, places } = panelOf(c, 'keys', paths.keys);
  const panel = { places, frame: { ...frame, hrefs: undefined } };
  return showPage(c, <MadeKeyPage {...{ panel, pair }} keysHref={paths.keys} />);
}
