import type { Context } from 'hono';
import { enforceRateLimit } from '../../access/rate-limit.ts';
import { openDatabase } from '../../db/core/open.ts';
import { evictApp } from '../../db/directory/apps.ts';
import { loadConsent } from '../../db/directory/sessions.ts';
import { HttpError } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { InfoPage } from '../../pages/layout/info-page.tsx';
import { identifyBrowser } from '../../session/browser-session.ts';
import { readPageForm } from '../../session/forms/form-body.ts';
import { showFormTokenErrorPage } from '../../session/pages/error-pages.tsx';
import { pageDeed } from '../../session/pages/page-deed.ts';
import { withQueryParameter } from '../../session/pages/paths.ts';
import { buildNarrowLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { settingsOf } from '../../settings.ts';
import { teamCheck } from '../apps/client.ts';
import { resolveIssuer } from '../metadata.ts';
import { issueCode } from './issue-code.ts';
import { buildRedirectUrl, checkAuthorizationRequest, errorRedirect } from './request.ts';
import { consentFormToken } from './show-consent.tsx';
import { connectableStores, showStoreForbiddenPage, storeParameter } from './show-stores.tsx';

/**
 * Handles `POST /oauth/authorize`, the decision on a consent page. It accepts only a form token of this browser (403
 * for another's) and checks the sealed request again against the app, session and store as they are now. Redirects
 * to the app (303) with a code or `access_denied`; a second approval of the same page is a 409.
 */
export async function handleConsentDecision(c: Context<AppEnv>) {
  const now = Date.now();
  const settings = settingsOf(c.env);
  const [form, browser] = [await readPageForm(c), await identifyBrowser(c)];
  const opened = await consentFormToken.open(settings, browser, form, now);
  if ('error' in opened) return showFormTokenErrorPage(c, opened.error, opened.data?.requestPath);
  const decision = form.get('decision');
  if (decision !== 'approve' && decision !== 'deny')
    throw new HttpError('invalid_body', { status: 400 });

  const { grantId, storeId, scopes, requestPath } = opened.data;
  const url = new URL(requestPath, c.req.url);
  const clientId = url.searchParams.get('client_id') ?? '';
  const { idHash } = browser;
  const directory = openDatabase(c.env.DIRECTORY);
  const { session, app } = await loadConsent(directory, { idHash, clientId, now });
  if (!session) return c.redirect(requestPath, 303);
  const userId = session.user.id;
  const issuer = resolveIssuer(settings, c.req.url);
  const findApp = () => Promise.resolve(app);
  const isOfTeam = teamCheck(c.env);
  const checked = await checkAuthorizationRequest(url, { findApp, issuer, userId, isOfTeam });
  if (!('request' in checked) || checked.request.scopes !== scopes) {
    evictApp(clientId);
    return c.redirect(requestPath, 303);
  }
  const { request } = checked;
  if (decision === 'deny') return c.redirect(errorRedirect(request, 'access_denied', issuer), 303);

  const store = connectableStores(request, session).find(({ id }) => id === storeId);
  if (!store) return showStoreForbiddenPage(c, withQueryParameter(requestPath, storeParameter));
  const { limits } = settings;
  await enforceRateLimit({ env: c.env, limits, now }, 'me', `approve:${userId}`);
  const deed = pageDeed(c, { session, now });
  const consent = { ...request, grantId, clientId, userId, store };
  const code = await issueCode(c.env, consent, now, deed.defer, deed);
  if (code === undefined) return showAlreadyDecidedPage(c);
  const params = { code, merchant: store.alias, state: request.state, iss: issuer };
  return c.redirect(buildRedirectUrl(request, params), 303);
}

function showAlreadyDecidedPage(c: Context<AppEnv>) {
  const layout = buildNarrowLayoutProps(c);
  const { title, lead } = messagesFor(layout.language).decided;
  return renderPage(c, <InfoPage {...{ layout, title }} paragraphs={[lead]} />, { status: 409 });
}
