import type { Context } from 'hono';
import type { Faces } from '../http/faces.ts';
import type { PanelProps } from '../pages/panel.tsx';
import { wordsOf } from '../pages/words/words-of.ts';
import { paths } from './paths.ts';
import { frameOf } from './show-page.ts';

/** The pages that the navigation leads to. */
const places = [
  ['account', paths.account],
  ['apps', paths.connectedApps],
  ['webhooks', paths.webhooks],
  ['keys', paths.keys],
  ['partners', paths.partners],
] as const;

/** What every page of the panels is given. `path` is where it can be asked for again, `current` where it belongs. */
export function panelOf(
  c: Context<Faces>,
  current: (typeof places)[number][0],
  path: string,
): PanelProps {
  const frame = frameOf(c, path);
  const said = wordsOf(frame.language).account.places;
  return {
    frame,
    places: places.map(([name, href]) => ({ href, text: said[name], isCurrent: name === current })),
  };
}
