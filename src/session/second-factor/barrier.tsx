import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { InfoPage } from '../../pages/layout/info-page.tsx';
import { settingsOf } from '../../settings.ts';
import type { PageContext } from '../pages/page-context.ts';
import { browserPaths } from '../pages/paths.ts';
import { buildNarrowLayoutProps, renderPage } from '../pages/render-page.ts';
import { isProved, showProofPage } from './proof.tsx';

/** What keeps a user from a page that they may open otherwise. */
type Barrier = 'operator' | 'store' | 'proof';

/** What a page asks of its user. */
interface Protection {
  isForOperators?: boolean;
  needsProof?: boolean | 'withSecondFactor';
}

/**
 * Returns what the user must do before a page opens: set up a second factor for operators' pages and for stores that
 * demand it, or prove who they are.
 */
export function findBarrier(
  c: Context<AppEnv>,
  { isForOperators, needsProof = false }: Protection,
  { session, store, now }: PageContext,
): Barrier | undefined {
  const { hasSecondFactor } = session.user;
  if (!hasSecondFactor) {
    if (isForOperators && settingsOf(c.env).isOperatorMfaRequired) return 'operator';
    if (store?.mfaRequired) return 'store';
  }
  const isAsked = needsProof === 'withSecondFactor' ? hasSecondFactor : needsProof;
  return isAsked && !isProved(session, now) ? 'proof' : undefined;
}

/** Shows what to do first: the page of the proof, which leads back, or (403) the way to the second factor. */
export function showBarrier(
  c: Context<AppEnv>,
  barrier: Barrier,
  context: PageContext,
  returnTo: string,
) {
  if (barrier === 'proof') return showProofPage(c, context, returnTo);
  const layout = buildNarrowLayoutProps(c, returnTo, context.session.user);
  const t = messagesFor(layout.language).security.needed;
  const link = { href: `${browserPaths.security}/second-factor`, text: t.submit };
  const page = <InfoPage {...{ layout, link }} title={t.title} paragraphs={[t[barrier]]} />;
  return renderPage(c, page, { status: 403 });
}
