import type { Context } from 'hono';
import { openDatabase } from '../../db/core/open.ts';
import { findOwnApiKey } from '../../db/directory/api-keys.ts';
import { notFound } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { Interpolate } from '../../pages/components/text.tsx';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { ConfirmPage } from '../../pages/layout/confirm-page.tsx';
import { revokeApiKey } from '../../people/keys/revoke-key.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { parsePathNumber } from '../path-parameters.ts';

/** Asks for confirmation before a key is revoked. Throws 404 unless it is a live key of the user. */
export async function showApiKeyRevocation(c: Context<AppEnv>, context: PageContext) {
  const directory = openDatabase(c.env.DIRECTORY);
  const apiKey = await findOwnApiKey(
    directory,
    context.session.user.id,
    parsePathNumber(c.req.param('id')),
  );
  if (!apiKey) throw notFound();
  const action = c.req.path;
  const dashboard = buildDashboardLayoutProps(c, context, 'keys', action);
  const t = messagesFor(dashboard.layout.language).account.keys;
  const page = (
    <ConfirmPage
      {...{ dashboard, action }}
      title={t.revoke}
      question={<Interpolate text={t.confirm} parts={{ name: <bdi>{apiKey.name}</bdi> }} />}
      paragraphs={[`${t.secretEndsIn}: ${apiKey.lastFour}`, t.consequence]}
      formToken={await sealFormToken(c, context, action)}
      submit={t.revoke}
      isDangerous
      back={browserPaths.keys}
    />
  );
  return renderPage(c, page);
}

/** Revokes an API key. */
export async function submitApiKeyRevocation(c: Context<AppEnv>, context: PageContext) {
  const id = parsePathNumber(c.req.param('id'));
  await revokeApiKey(pageDeed(c, context), { userId: context.session.user.id, id });
  return c.redirect(`${browserPaths.keys}?done=revoked`, 303);
}
