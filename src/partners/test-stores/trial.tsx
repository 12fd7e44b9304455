import type { Context } from 'hono';
import * as z from 'zod';
import { equalInConstantTime, sha256 } from '../../crypto/digest.ts';
import { randomBase64url } from '../../crypto/random.ts';
import { openDatabase } from '../../db/core/open.ts';
import { findOwnApp, type OwnApp } from '../../db/directory/apps.ts';
import type { ManagedStore } from '../../db/directory/sessions.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { connectableStores } from '../../oauth/authorize/show-stores.tsx';
import { authorizePath, resolveIssuer, trialRedirectUri } from '../../oauth/metadata.ts';
import { handleTokenRequest } from '../../oauth/token/endpoint.ts';
import { TrialDonePage, TrialEndedPage, TrialPage } from '../../pages/partners/trial-pages.tsx';
import { browserPaths } from '../../session/pages/paths.ts';
import { renderPage } from '../../session/pages/render-page.ts';
import { sealFormToken, type PageContext } from '../../session/pages/user-pages.ts';
import { settingsOf } from '../../settings.ts';
import { buildPartnerLayoutProps } from '../dashboard.ts';
import { requireOwnApp } from '../own-app.ts';
import { appPaths, testStorePaths } from '../paths.ts';
import { keepTrial, takeTrial } from './trial-cookie.ts';

/** The test stores of the app's partner that the user may connect. */
const storesFor = (app: OwnApp, { session }: PageContext): ManagedStore[] =>
  connectableStores({ app, isTrial: true }, session);

async function showForm(c: Context<AppEnv>, context: PageContext, app: OwnApp, hasError = false) {
  const action = appPaths.trial(app.client_id);
  const page = (
    <TrialPage
      dashboard={buildPartnerLayoutProps(c, context, 'apps', action)}
      appName={app.name}
      isDisabled={app.state === 'disabled'}
      stores={storesFor(app, context)}
      action={action}
      formToken={await sealFormToken(c, context, action)}
      back={appPaths.app(app.client_id)}
      makeHref={testStorePaths.make}
      hasError={hasError}
    />
  );
  return renderPage(c, page, { status: hasError ? 422 : 200 });
}

/** `GET /partners/{client id}/try`: which test store to try the app with. */
export const showTrial = async (c: Context<AppEnv>, context: PageContext) =>
  showForm(c, context, await requireOwnApp(c, context));

/**
 * `POST /partners/{client id}/try`: sends the browser to the consent page, as the app would, with a verifier and a state that
 * only the cookie of this browser holds.
 */
export async function submitTrial(c: Context<AppEnv>, context: PageContext, form: URLSearchParams) {
  const app = await requireOwnApp(c, context);
  const store = storesFor(app, context).find(({ alias }) => alias === form.get('store'));
  if (!store || app.state === 'disabled') return showForm(c, context, app, true);
  const { client_id: clientId } = app;
  const trial = {
    clientId,
    alias: store.alias,
    state: randomBase64url(16),
    verifier: randomBase64url(32),
  };
  await keepTrial(c, context, trial);
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: trialRedirectUri(resolveIssuer(settingsOf(c.env), c.req.url)),
    code_challenge: await sha256(trial.verifier),
    code_challenge_method: 'S256',
    state: trial.state,
    store: store.alias,
  });
  return c.redirect(`${authorizePath}?${query.toString()}`, 303);
}

const TokenReply = z.union([
  z.looseObject({ access_token: z.string(), refresh_token: z.string() }),
  z.looseObject({ error: z.string() }),
]);

/**
 * `GET /partners/try/callback`: redeems the code of a trial and shows what the app would have got. The cookie is used up
 * first, so a reload, or a link that somebody else made, redeems nothing.
 */
export async function showTrialResult(c: Context<AppEnv>, context: PageContext) {
  const trial = await takeTrial(c, context);
  const { state = '', code, error } = c.req.query();
  const dashboard = buildPartnerLayoutProps(c, context, 'apps', browserPaths.partners);
  const app =
    trial && (await equalInConstantTime(state, trial.state))
      ? await findOwnApp(openDatabase(c.env.DIRECTORY), context.session.user.id, trial.clientId)
      : undefined;
  const againHref = app ? appPaths.trial(app.client_id) : browserPaths.partners;
  const end = (reason: Parameters<typeof TrialEndedPage>[0]['reason']) =>
    renderPage(c, <TrialEndedPage {...{ dashboard, reason, againHref }} />);
  if (!trial || !app) return end({ kind: 'stale' });
  if (code === undefined) {
    return end(
      error === 'access_denied' ? { kind: 'denied' } : { kind: 'failed', error: 'invalid_request' },
    );
  }
  const issuer = resolveIssuer(settingsOf(c.env), c.req.url);
  const request = new Request(`${issuer}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: trial.clientId,
      code,
      code_verifier: trial.verifier,
      redirect_uri: trialRedirectUri(issuer),
    }),
  });
  const defer = (work: Promise<unknown>) => c.executionCtx.waitUntil(work);
  const response = await handleTokenRequest(c.env, request, context.now, defer);
  const reply = TokenReply.parse(await response.json());
  if (!('access_token' in reply) || typeof reply.access_token !== 'string') {
    return end({ kind: 'failed', error: String(reply['error']) });
  }
  const store = context.session.stores.find(({ alias }) => alias === trial.alias);
  const page = (
    <TrialDonePage
      dashboard={dashboard}
      appName={app.name}
      storeName={store?.name ?? trial.alias}
      response={JSON.stringify({ ...reply, refresh_token: '...' }, undefined, 2)}
      call={`curl '${issuer}/v2/${trial.alias}/catalog/products' -H 'Authorization: Bearer ${reply.access_token}' -H 'X-Partner-Client-ID: ${trial.clientId}'`}
      back={appPaths.app(app.client_id)}
    />
  );
  return renderPage(c, page);
}
