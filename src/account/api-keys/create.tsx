import type { Context } from 'hono';
import { enforceRateLimit } from '../../access/rate-limit.ts';
import { scopeAreas } from '../../access/scopes.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { ApiKeyCreatedPage } from '../../pages/account/api-key-created-page.tsx';
import { NewApiKeyPage, type NewApiKeyError } from '../../pages/account/new-api-key-page.tsx';
import { createApiKey } from '../../people/keys/create-key.ts';
import { detectLanguage } from '../../session/pages/language.ts';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { browserPaths } from '../../session/pages/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { apiKeyPaths } from '../paths.ts';
import { stashApiKey, takeApiKey } from './created-key-cookie.ts';
import { checkApiKeyForm, emptyApiKeyForm, readApiKeyForm, type ApiKeyForm } from './form-input.ts';

/** `GET /account/keys/new`. */
export const showApiKeyForm = (c: Context<AppEnv>, context: PageContext) =>
  renderForm(c, context, emptyApiKeyForm, []);

/** Shows the form; with status 422 for errors. */
async function renderForm(
  c: Context<AppEnv>,
  context: PageContext,
  { storeIds, areas, ...typed }: ApiKeyForm,
  errors: readonly NewApiKeyError[],
) {
  const { stores, user } = context.session;
  const page = (
    <NewApiKeyPage
      dashboard={buildDashboardLayoutProps(c, context, 'keys', apiKeyPaths.create)}
      action={apiKeyPaths.create}
      formToken={await sealFormToken(c, context, apiKeyPaths.create)}
      typed={typed}
      stores={stores.map(({ id, name, alias }) => ({
        id,
        name,
        alias,
        isChosen: storeIds.includes(String(id)),
      }))}
      areas={scopeAreas.map((area) => ({ area, chosen: areas[area] }))}
      onlyReads={stores.length > 0 && stores.every(({ role }) => role === 'viewer')}
      isOperator={user.isOperator}
      errors={errors}
      back={browserPaths.keys}
    />
  );
  return renderPage(c, page, { status: errors.length > 0 ? 422 : 200 });
}

/** `POST /account/keys/new`: creates an API key and shows it once. Throws 429. */
export async function submitApiKeyForm(
  c: Context<AppEnv>,
  context: PageContext,
  sent: URLSearchParams,
) {
  const form = readApiKeyForm(sent);
  const checked = checkApiKeyForm(form, context);
  if ('errors' in checked) return renderForm(c, context, form, checked.errors);
  const { limits } = settingsOf(c.env);
  const { now, session } = context;
  await enforceRateLimit({ env: c.env, limits, now }, 'me', `keys:${session.user.id}`);
  const language = detectLanguage(c, session.user.language);
  const apiKey = await createApiKey(pageDeed(c, context), checked.key, language);
  if (!apiKey) return renderForm(c, context, form, ['tooMany']);
  await stashApiKey(c, context, apiKey);
  return c.redirect(apiKeyPaths.created, 303);
}

/** `GET /account/keys/made`: shows the key that was just created. A reload no longer shows it. */
export async function showCreatedApiKey(c: Context<AppEnv>, context: PageContext) {
  const apiKey = await takeApiKey(c, context);
  // No language switch: the key is gone once the page is requested again.
  const shown = buildDashboardLayoutProps(c, context, 'keys', browserPaths.keys);
  const dashboard = { ...shown, layout: { ...shown.layout, languageHrefs: undefined } };
  return renderPage(
    c,
    <ApiKeyCreatedPage {...{ dashboard, apiKey }} keysHref={browserPaths.keys} />,
  );
}
