import * as z from 'zod';
import { sessionLifetimes } from '../../accounts/sign-in/session-lifetimes.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import { HttpError } from '../../base/errors.ts';
import { evictApp } from '../../data/directory/apps.ts';
import { loadConsent, type ManagedStore } from '../../data/directory/sessions.ts';
import { groupScopes } from '../../data/grants/scopes.ts';
import {
  buildRedirectUrl,
  checkAuthorizationRequest,
  errorRedirect,
  type AuthorizationRequest,
} from '../../oauth/authorization-request.ts';
import { teamCheck } from '../../oauth/client.ts';
import { issueCode } from '../../oauth/issue-code.ts';
import { authorizePath, resolveIssuer } from '../../oauth/metadata.ts';
import { describeRedirectTarget } from '../../oauth/redirect-uris.ts';
import { sentText } from '../../web/forms/fields.ts';
import { countForm } from '../../web/forms/form-limits.ts';
import { publicForm } from '../../web/forms/form.tsx';
import { SignedInPage } from '../../web/page.ts';
import { withQueryParameter } from '../../web/paths.ts';
import { buildSwitchAccountProps } from '../../web/sign-in/sign-out.ts';
import { ConsentPage, type ConsentPageProps } from './consent-page.tsx';
import { connectableStores, showStoreForbiddenPage, storeParameter } from './show-stores.tsx';

/** Data that the consent page seals into its form token. The decision uses this and no other field of the form. */
interface ConsentState {
  /** 16 random bytes as base64url: the key of the grant, so that one page makes at most one grant. */
  grantId: string;
  storeId: number;
  /** Bits, as the page showed them: the app may have requested more scopes since. */
  scopes: number;
  /** Path and query of the authorization request. */
  requestPath: string;
}

/** Further data of the page. */
interface ConsentNote {
  props: Omit<ConsentPageProps, 'action' | 'formToken'>;
  /** The target of the form's redirect, besides this origin. */
  target: string;
}

/**
 * `POST /oauth/authorize`, the decision on a consent page. It accepts only a form token of this browser (403 for
 * another's). It checks the sealed request again against the app, session and store as they are now. Redirects to the
 * app (303) with a code or `access_denied`; a second approval of the same page is a 409.
 */
export const consentForm = publicForm<ConsentState, { decision: string }, ConsentNote>({
  path: authorizePath,
  role: 'public',
  purpose: 'consent',
  // Counted below, once the session is known.
  limit: 'approve',
  lifetimeMs: sessionLifetimes.consent,
  againPath: ({ requestPath }) => requestPath,
  targets: (_state, note) => (note ? [note.target] : []),
  fields: () => z.object({ decision: sentText }),
  render(_page, _state, { action, formToken }, note) {
    if (!note) throw new Error('a consent page has an app and a store');
    return <ConsentPage {...note.props} {...{ action, formToken }} />;
  },
  async submit(publicPage, { decision }, { grantId, storeId, scopes, requestPath }) {
    if (decision !== 'approve' && decision !== 'deny')
      throw new HttpError('invalid_body', { status: 400 });
    const { c, env, settings, now, directory, browser } = publicPage;
    const url = new URL(requestPath, c.req.url);
    const clientId = url.searchParams.get('client_id') ?? '';
    const { idHash } = browser;
    const { session, app } = await loadConsent(directory, { idHash, clientId, now });
    if (!session) return publicPage.redirect(requestPath);
    const page = new SignedInPage(publicPage, session);
    const userId = page.user.id;
    const issuer = resolveIssuer(settings, c.req.url);
    const findApp = () => Promise.resolve(app);
    const isOfTeam = teamCheck(env);
    const checked = await checkAuthorizationRequest(url, { findApp, issuer, userId, isOfTeam });
    if (!('request' in checked) || checked.request.scopes !== scopes) {
      evictApp(clientId);
      return page.redirect(requestPath);
    }
    const { request } = checked;
    if (decision === 'deny') return page.redirect(errorRedirect(request, 'access_denied', issuer));

    const store = connectableStores(request, session).find(({ id }) => id === storeId);
    if (!store) {
      return showStoreForbiddenPage(page, withQueryParameter(requestPath, storeParameter));
    }
    await countForm(page, userId, 'approve', 'valid');
    const { action } = page;
    const consent = { ...request, grantId, clientId, userId, store };
    const code = await issueCode(env, consent, now, action.defer, action);
    if (code === undefined) {
      const { title, lead } = page.messages.decided;
      return page.info({ title, paragraphs: [lead] }, { status: 409 });
    }
    const params = { code, merchant: store.alias, state: request.state, iss: issuer };
    return page.redirect(buildRedirectUrl(request, params));
  },
});

/** Shows the consent page for one store. Stores nothing: the form token carries all data that the decision needs. */
export async function showConsentPage(
  page: SignedInPage,
  { app, redirectUri, scopes }: AuthorizationRequest,
  {
    path,
    store,
    hasChoice,
  }: {
    path: string;
    store: ManagedStore;
    /** Whether the user can choose another store. */
    hasChoice: boolean;
  },
) {
  const returnsTo = describeRedirectTarget(redirectUri);
  const props = {
    layout: page.layout(path),
    app: { name: app.name, publisher: app.publisher, isDraft: app.state === 'draft' },
    store,
    storesHref: hasChoice ? withQueryParameter(path, storeParameter) : undefined,
    ...groupScopes(scopes),
    returnsTo,
    switchAccount: await buildSwitchAccountProps(page, path),
  };
  const state = {
    grantId: randomBase64url(16),
    storeId: store.id,
    scopes,
    requestPath: path,
  };
  return consentForm.show(page, state, { note: { props, target: returnsTo.source } });
}
