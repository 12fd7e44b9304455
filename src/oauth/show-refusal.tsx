import type { Context } from 'hono';
import type { Faces } from '../http/faces.ts';
import { NoticePage } from '../pages/notice-page.tsx';
import { wordsOf } from '../pages/words/words-of.ts';
import { frameOf, showPage } from '../session/show-page.ts';
import type { AuthorizationRefusal } from './refusals.ts';

const reasons = {
  'url is too long': 'urlTooLong',
  'client is wrong': 'client',
  'redirect_uri is wrong': 'redirectUri',
} as const satisfies Record<AuthorizationRefusal, string>;

/** The page for a request that names no app or no way back to it (A1, A2): nothing of the request is on it. */
export function showRefusal(c: Context<Faces>, refusal: AuthorizationRefusal) {
  const frame = frameOf(c);
  const said = wordsOf(frame.language).refusal;
  const small = said.forDevelopers.replace('{reason}', said[reasons[refusal]]);
  const props = { frame, small, title: said.title, paragraphs: [said.fault, said.advice] };
  return showPage(c, <NoticePage {...props} />, { status: 400 });
}
