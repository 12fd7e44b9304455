import type { Context } from 'hono';
import { enforceRateLimit } from '../../access/rate-limit.ts';
import { cleanFormLine } from '../../codecs/fields/normalize-text.ts';
import { sha256 } from '../../crypto/digest.ts';
import { randomBase64url } from '../../crypto/random.ts';
import { openDatabase } from '../../db/core/open.ts';
import { addApiKey } from '../../db/directory/api-keys.ts';
import type { AppEnv } from '../../http/app-env.ts';
import {
  NewApiKeyPage,
  type NewApiKeyError,
  ApiKeyCreatedPage,
} from '../../pages/account/new-api-key-pages.tsx';
import { browserPaths } from '../../session/paths.ts';
import { buildDashboardLayoutProps, renderPage } from '../../session/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { apiKeyPaths } from '../paths.ts';
import { stashApiKey, takeApiKey } from './created-key-cookie.ts';

/** `GET /account/keys/new`. Shows the form again with status 422 for an error. */
export async function showApiKeyForm(
  c: Context<AppEnv>,
  context: PageContext,
  { name = '', fault }: { name?: string; fault?: NewApiKeyError } = {},
) {
  const page = (
    <NewApiKeyPage
      dashboard={buildDashboardLayoutProps(c, 'keys', apiKeyPaths.create)}
      action={apiKeyPaths.create}
      formToken={await sealFormToken(c, context, apiKeyPaths.create)}
      name={name}
      error={fault}
      back={browserPaths.keys}
    />
  );
  return renderPage(c, page, { status: fault ? 422 : 200 });
}

const maxNameLength = 80;

/** `POST /account/keys/new`: creates an API key, stores only its digests, and shows it once. Throws 429. */
export async function submitApiKeyForm(
  c: Context<AppEnv>,
  context: PageContext,
  form: URLSearchParams,
) {
  const sentName = form.get('name') ?? '';
  const name = cleanFormLine(sentName, maxNameLength);
  if (name === '') return showApiKeyForm(c, context, { fault: 'nameMissing' });
  if (name === undefined) return showApiKeyForm(c, context, { name: sentName, fault: 'nameLong' });

  const { limits } = settingsOf(c.env);
  const { now, session } = context;
  await enforceRateLimit({ env: c.env, limits, now }, 'me', `keys:${session.user.id}`);
  const apiKey = { token: `ut_${randomBase64url(24)}`, secret: `sk_${randomBase64url(32)}` };
  const isAdded = await addApiKey(openDatabase(c.env.DIRECTORY), {
    user_id: context.session.user.id,
    name,
    token_hash: await sha256(apiKey.token),
    secret_hash: await sha256(apiKey.secret),
    last_four: apiKey.secret.slice(-4),
    created_at: context.now,
  });
  if (!isAdded) return showApiKeyForm(c, context, { name, fault: 'tooMany' });
  await stashApiKey(c, context, apiKey);
  return c.redirect(apiKeyPaths.created, 303);
}

/** `GET /account/keys/made`: shows the key that was just created. A reload no longer shows it. */
export async function showCreatedApiKey(c: Context<AppEnv>, context: PageContext) {
  const apiKey = await takeApiKey(c, context);
  // No language switch: the key is gone once the page is requested again.
  const { layout, navigation } = buildDashboardLayoutProps(c, 'keys', browserPaths.keys);
  const dashboard = { navigation, layout: { ...layout, languageHrefs: undefined } };
  return renderPage(
    c,
    <ApiKeyCreatedPage {...{ dashboard, apiKey }} keysHref={browserPaths.keys} />,
  );
}
