import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { AppEnv } from '../../http/app-env.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { type PageContext, sealFormToken } from '../../session/pages/user-pages.ts';
import { storePaths } from '../paths.ts';
import { storeOfPage } from './store-of-page.ts';

interface Confirmation {
  /** Where the form posts to: the page itself. */
  action: string;
  question: Child;
  paragraphs: readonly Child[];
  submit: string;
  isDangerous: boolean;
  fields?: Child;
  error?: string | undefined;
  errorField?: string;
  status?: 200 | 409 | 422;
}

/** Asks before something happens to the store of the page. */
export async function askAboutStore(
  c: Context<AppEnv>,
  context: PageContext,
  { status = 200, ...confirmation }: Confirmation,
) {
  const { alias } = storeOfPage(context);
  const page = (
    <ConfirmPage
      dashboard={buildDashboardLayoutProps(c, context, 'stores', confirmation.action)}
      title={confirmation.submit}
      formToken={await sealFormToken(c, context, confirmation.action)}
      back={storePaths.details(alias)}
      {...confirmation}
    />
  );
  return renderPage(c, page, { status });
}
