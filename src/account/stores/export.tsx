import type { Context } from 'hono';
import type { AppEnv } from '../../http/app-env.ts';
import { requestJob } from '../../jobs/request.ts';
import { Interpolate } from '../../pages/components/text.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { detectLanguage } from '../../session/pages/language.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { storePaths } from '../paths.ts';
import { askAboutStore } from './confirm.tsx';
import { redirectToStore } from './details.tsx';
import { storeOfPage } from './store-of-page.ts';

/** `GET /account/stores/:alias/export`. */
export function showExport(c: Context<AppEnv>, context: PageContext) {
  const { alias, name } = storeOfPage(context);
  const t = messagesFor(detectLanguage(c)).stores.export;
  return askAboutStore(c, context, {
    action: storePaths.export(alias),
    question: <Interpolate text={t.question} parts={{ store: <bdi>{name}</bdi> }} />,
    paragraphs: [t.consequence],
    submit: t.submit,
    isDangerous: false,
  });
}

/** Asks for an export of all data of the store. One that is under way is not begun twice. */
export async function submitExport(c: Context<AppEnv>, context: PageContext) {
  const { id: storeId, alias } = storeOfPage(context);
  await requestJob(pageDeed(c, context), { kind: 'store_export', storeId });
  return redirectToStore(c, alias, 'exportAsked');
}
