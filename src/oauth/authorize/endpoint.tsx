import type { Context, Hono } from 'hono';
import { methodNotAllowed } from '../../errors.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { InfoPage } from '../../pages/layout/info-page.tsx';
import { findCurrentSession, identifyBrowser } from '../../session/browser-session.ts';
import { languageParameter } from '../../session/pages/language.ts';
import { withQueryParameter } from '../../session/pages/paths.ts';
import { buildNarrowLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import { showSignInPage } from '../../session/sign-in.tsx';
import { settingsOf } from '../../settings.ts';
import { findActiveApp, teamCheck } from '../apps/client.ts';
import type { AuthorizationErrorReason } from '../errors.ts';
import { authorizePath, resolveIssuer } from '../metadata.ts';
import { handleConsentDecision } from './decision.tsx';
import { checkAuthorizationRequest } from './request.ts';
import { showConsentPage } from './show-consent.tsx';
import {
  connectableStores,
  showStoreForbiddenPage,
  showStorePage,
  storeParameter,
} from './show-stores.tsx';

/** Mounts the authorization endpoint, which browsers open: `GET` shows pages, `POST` takes the decision. */
export function mountAuthorizeRoutes(pages: Hono<AppEnv>) {
  pages.use(authorizePath, async (c, next) => {
    c.set('operation', 'oauth.authorize');
    await next();
  });
  pages.get(authorizePath, (c) => handleAuthorizationRequest(c));
  pages.post(authorizePath, handleConsentDecision);
  pages.all(authorizePath, () => {
    throw methodNotAllowed('GET, HEAD, POST');
  });
}

/**
 * Handles `GET /oauth/authorize` (specification, "Authentication", step 2). It checks the request before it shows any
 * page; then the merchant signs in, chooses a store if there are several, and sees the consent page. Writes nothing.
 */
async function handleAuthorizationRequest(c: Context<AppEnv>) {
  const now = Date.now();
  const url = new URL(c.req.url);
  const clientId = url.searchParams.get('client_id') ?? undefined;
  const browser = await identifyBrowser(c);
  const [session, app] = await Promise.all([
    findCurrentSession(c, browser, now),
    findActiveApp(c.env, clientId, now),
  ]);
  const checked = await checkAuthorizationRequest(url, {
    findApp: () => Promise.resolve(app),
    issuer: resolveIssuer(settingsOf(c.env), c.req.url),
    // Without a session, assumes the owner of a draft app: the request is checked again after signing in.
    userId: session?.user.id ?? app?.owner_id,
    isOfTeam: teamCheck(c.env),
  });
  if ('rejected' in checked) return showRequestErrorPage(c, checked.rejected);
  if ('redirect' in checked) return c.redirect(checked.redirect, 302);

  const { request } = checked;
  const path = withQueryParameter(url.pathname + url.search, languageParameter);
  if (!session) {
    return showSignInPage(c, browser, { returnTo: path, appName: request.app.name }, { now });
  }

  const stores = connectableStores(request, session);
  const alias = url.searchParams.get(storeParameter);
  const context = { browser, session, now, path };
  if (alias === null && stores.length !== 1) {
    return showStorePage(c, request, { ...context, stores });
  }
  const store = alias === null ? stores[0] : stores.find((candidate) => candidate.alias === alias);
  if (!store) return showStoreForbiddenPage(c, withQueryParameter(path, storeParameter));
  return showConsentPage(c, request, { ...context, store, hasChoice: stores.length > 1 });
}

const messageKeys = {
  url_too_long: 'urlTooLong',
  client_invalid: 'client',
  redirect_uri_invalid: 'redirectUri',
} as const;

/**
 * Shows the page for a request without a valid client or redirect URI, or of a draft that may not ask this user. It repeats
 * nothing of the request.
 */
function showRequestErrorPage(c: Context<AppEnv>, reason: AuthorizationErrorReason) {
  const layout = buildNarrowLayoutProps(c);
  const { invalidLink: messages, partnerTools } = messagesFor(layout.language);
  if (reason === 'draft_of_another') {
    const { title, lead, advice } = partnerTools.draft;
    const page = <InfoPage {...{ layout, title }} paragraphs={[lead, advice]} />;
    return renderPage(c, page, { status: 403 });
  }
  const small = messages.forDevelopers.replace('{reason}', messages[messageKeys[reason]]);
  const props = {
    layout,
    technicalDetail: small,
    title: messages.title,
    paragraphs: [messages.fault, messages.advice],
  };
  return renderPage(c, <InfoPage {...props} />, { status: 400 });
}
