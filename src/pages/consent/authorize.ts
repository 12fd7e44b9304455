import type { Context, Hono } from 'hono';
import { methodNotAllowed } from '../../base/errors.ts';
import { browserPaths, withQueryParameter } from '../../base/page-paths.ts';
import { isHostBlocked } from '../../data/directory/agents.ts';
import { type App, isAgent, nameIn } from '../../data/directory/apps.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { isDocumentId, readClientDocument } from '../../oauth/agents/client-document.ts';
import {
  checkAuthorizationRequest,
  type RefusedRequest,
} from '../../oauth/authorization-request.ts';
import { findActiveApp, teamCheck } from '../../oauth/client.ts';
import { authorizePath, resolveIssuer } from '../../oauth/server-metadata.ts';
import { findByFormerAlias } from '../../web/find-store.ts';
import { PublicPage, SignedInPage } from '../../web/page.ts';
import { findCurrentSession, identifyBrowser } from '../../web/sign-in/browser-session.ts';
import { signInForm } from '../../web/sign-in/sign-in.tsx';
import { consentForm, showConsentPage } from './consent.tsx';
import {
  connectableStores,
  showStoreForbiddenPage,
  showStorePage,
  storeParameter,
} from './show-stores.tsx';

/**
 * Mounts the authorization endpoint, which browsers open: `GET` shows pages, `POST` takes the
 * decision.
 */
export function mountAuthorizeRoutes(pages: Hono<AppEnv>) {
  pages.use(authorizePath, async (c, next) => {
    c.set('operation', 'oauth.authorize');
    await next();
  });
  pages.get(authorizePath, (c) => handleAuthorizationRequest(c));
  pages.post(authorizePath, consentForm.handle);
  pages.all(authorizePath, () => {
    throw methodNotAllowed('GET, HEAD, POST');
  });
}

/**
 * Handles `GET /oauth/authorize` (specification, "Authentication", step 2). It checks the request
 * before it shows any page. Then the merchant signs in, chooses a store if there are several, and
 * sees the consent page. Writes nothing.
 */
async function handleAuthorizationRequest(c: Context<AppEnv>) {
  const now = Date.now();
  const url = new URL(c.req.url);
  const clientId = url.searchParams.get('client_id') ?? undefined;
  const publicPage = new PublicPage(c, await identifyBrowser(c), now);
  const { env, settings } = publicPage;
  const isDocument = clientId !== undefined && isDocumentId(clientId, settings);
  const [session, registered] = await Promise.all([
    findCurrentSession(c, publicPage.browser, now),
    isDocument ? undefined : findActiveApp(env, clientId, now),
  ]);
  // Only users of this service make it read an address.
  if (isDocument && !session) {
    const returnTo = publicPage.address;
    return signInForm.show(publicPage, { returnTo, appName: new URL(clientId).hostname });
  }
  const address = c.req.header('CF-Connecting-IP');
  const app = isDocument
    ? await readClientDocument(clientId, { env, settings, now, address }, 'page')
    : registered;
  if (app && 'rejected' in app) return showRequestErrorPage(publicPage, app);
  const checked = await checkAuthorizationRequest(url, {
    findApp: () => Promise.resolve(app),
    issuer: resolveIssuer(settings, c.req.url),
    // Without a session, assumes the owner of a draft app: the request is checked again after
    // signing in.
    userId: session?.user.id ?? app?.owner_id ?? undefined,
    isOfTeam: teamCheck(env),
  });
  if ('rejected' in checked) return showRequestErrorPage(publicPage, checked);
  if ('redirect' in checked) return c.redirect(checked.redirect, 302);

  const { request } = checked;
  const path = publicPage.address;
  if (!session) {
    return signInForm.show(publicPage, {
      returnTo: path,
      appName: nameIn(request.app, publicPage.language),
    });
  }

  if (isAgent(request.app) && (await isHostBlocked(publicPage.directory, request.app))) {
    return showRequestErrorPage(publicPage, { rejected: 'host_blocked' });
  }

  const page = new SignedInPage(publicPage, session);
  const stores = connectableStores(request, session);
  const alias = url.searchParams.get(storeParameter);
  if (alias === null && stores.length !== 1) return showStorePage(page, request, { path, stores });
  const store =
    alias === null
      ? stores[0]
      : (stores.find((candidate) => candidate.alias === alias) ??
        (await findByFormerAlias(page, stores, alias)));
  if (!store) return showStoreForbiddenPage(page, withQueryParameter(path, storeParameter));
  return showConsentPage(page, request, { path, store, hasChoice: stores.length > 1 });
}

const messageKeys = {
  url_too_long: 'urlTooLong',
  parameter_missing: 'missing',
  parameter_repeated: 'repeated',
  client_unknown: 'client',
  document_invalid: 'document',
  document_confidential: 'confidential',
  host_blocked: 'blocked',
  redirect_uri_unknown: 'redirectUri',
} as const;

/**
 * Shows the page for a request without a valid client or redirect URI, or of a draft that may not
 * ask this user. It repeats at most 80 characters of an address or id that is wrong, as text. Its
 * link leads to the host of the first registered address, or to our start page, never to an address
 * that was sent.
 */
function showRequestErrorPage(
  page: PublicPage,
  { rejected, parameter = 'client_id', sent, app }: RefusedRequest,
) {
  const { invalidLink: messages, partnerTools, error } = page.messages;
  const start = { href: browserPaths.home, text: error.start };
  if (rejected === 'draft_of_another') {
    const { title, lead, advice } = partnerTools.draft;
    return page.info({ title, paragraphs: [lead, advice], link: start }, { status: 403 });
  }
  const reason = messages[messageKeys[rejected]].replace('{parameter}', parameter);
  const technicalDetail = messages.forDevelopers.replace('{reason}', reason);
  const { title, fault, advice } = messages;
  const own = app && homeOf(app);
  return page.info(
    {
      title,
      paragraphs: [fault, advice],
      technicalDetail,
      sent: sent === undefined ? undefined : toShownValue(sent),
      link: own
        ? { href: own.origin, text: messages.back.replace('{host}', () => own.host) }
        : start,
    },
    { status: 400 },
  );
}

/**
 * The site of a published app, by its first redirect URI. An agent registered itself, so it has
 * none.
 */
function homeOf(app: App): URL | undefined {
  const [first = ''] = app.redirect_uris;
  const isLinked = app.state === 'published' && !isAgent(app) && first.startsWith('https://');
  return isLinked ? new URL(first) : undefined;
}

/**
 * An address without its query, or an id. Of other texts, which could address the reader, nothing.
 */
function toShownValue(sent: string): string {
  const url = URL.parse(sent);
  if (url) return `${url.protocol}${url.host && `//${url.host}`}${url.pathname}`;
  return /^[\w.~-]+$/.test(sent) ? sent : '…';
}
