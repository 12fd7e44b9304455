import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { InfoPage } from '../../pages/layout/info-page.tsx';
import { requireSecondFactor } from '../../people/stores/edit-store.ts';
import { detectLanguage } from '../../session/pages/language.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildNarrowLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { storePaths } from '../paths.ts';
import { askAboutStore } from './confirm.tsx';
import { redirectToStore } from './details.tsx';
import { storeOfPage } from './store-of-page.ts';

/** `GET /account/stores/:alias/second-factor`. An owner without a second factor would lock themselves out. */
export function showFactorRule(c: Context<AppEnv>, context: PageContext) {
  const { alias, mfaRequired } = storeOfPage(context);
  const { stores, members } = messagesFor(detectLanguage(c));
  const t = stores.factor;
  const action = storePaths.secondFactor(alias);
  if (!mfaRequired && !context.session.user.hasSecondFactor) {
    const layout = buildNarrowLayoutProps(c, action);
    const link = { href: browserPaths.security, text: members.roles.setUpFactor };
    const page = <InfoPage {...{ layout, link }} title={t.question} paragraphs={[t.ownFirst]} />;
    return renderPage(c, page);
  }
  const [question, consequence, submit] = mfaRequired
    ? [t.offQuestion, t.offConsequence, t.offSubmit]
    : [t.question, t.consequence, t.submit];
  const paragraphs = [consequence];
  return askAboutStore(c, context, { action, question, paragraphs, submit, isDangerous: false });
}

/** Requires a second factor of all members, or no longer. */
export async function submitFactorRule(c: Context<AppEnv>, context: PageContext) {
  const store = storeOfPage(context);
  if (!store.mfaRequired && !context.session.user.hasSecondFactor)
    return showFactorRule(c, context);
  await requireSecondFactor(pageDeed(c, context), store, !store.mfaRequired);
  return redirectToStore(c, store.alias, 'factorChanged');
}
