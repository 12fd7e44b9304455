import * as z from 'zod';
import { maxActiveGrants, sessionLifetimes } from '../../base/auth-lifetimes.ts';
import { randomBase64url } from '../../base/crypto/random.ts';
import { minuteMs } from '../../base/durations.ts';
import { HttpError, TooManyGrants } from '../../base/errors.ts';
import { browserPaths, withQueryParameter } from '../../base/page-paths.ts';
import type { Settings } from '../../base/settings.ts';
import { TtlCache } from '../../base/ttl-cache.ts';
import { useAgent, withOwnName } from '../../data/directory/agents.ts';
import { evictApp, isAgent, type App } from '../../data/directory/apps.ts';
import { loadConsent } from '../../data/directory/sessions.ts';
import { chosenScopes } from '../../oauth/agents/chosen-scopes.ts';
import { isDocumentId, readClientDocument } from '../../oauth/agents/client-document.ts';
import {
  buildRedirectUrl,
  checkAuthorizationRequest,
  errorRedirect,
  type AuthorizationRequest,
} from '../../oauth/authorization-request.ts';
import { teamCheck } from '../../oauth/client.ts';
import { countInstalls } from '../../oauth/installed-apps.ts';
import { issueCode } from '../../oauth/issue-code.ts';
import { describeRedirectTarget } from '../../oauth/redirect-uris.ts';
import { authorizePath, resolveIssuer } from '../../oauth/server-metadata.ts';
import { countForm } from '../../web/forms/form-limits.ts';
import { sentText, sentValues } from '../../web/forms/form-values.ts';
import { keepTyped, publicForm, takeKept } from '../../web/forms/form.tsx';
import { SignedInPage } from '../../web/page.ts';
import { proofForm } from '../../web/sign-in/proof.tsx';
import { AgentConsentPage } from './agent-consent-page.tsx';
import { ConsentPage, type AskedConsent } from './consent-page.tsx';
import { connectableStores, showStoreForbiddenPage, storeParameter } from './show-stores.tsx';

/**
 * Data that the consent page seals into its form token. The decision uses this and no other field
 * of the form.
 */
interface ConsentState {
  /**
   * 16 random bytes as base64url: the key of the grant, so that one page makes at most one grant.
   */
  grantId: string;
  storeId: number;
  /** Bits, as the page showed them: the app may have requested more scopes since. */
  scopes: number;
  /** Path and query of the authorization request. */
  requestPath: string;
}

/** Further data of the page: the stores of an app, or the host of an agent. */
interface ConsentNote {
  asked: AskedConsent;
  about: { installs: number } | { host: string };
}

/**
 * `POST /oauth/authorize`, the decision on a consent page. It accepts only a form token of this
 * browser (403 for another's). It checks the sealed request again against the app, session and
 * store as they are now. Whose last proof is ten minutes old proves who they are before they
 * approve, and sees the page with their choices again. Redirects to the app (303) with a code or
 * `access_denied`; a second approval of the same page is a 409.
 */
export const consentForm = publicForm<
  ConsentState,
  { decision: string; access: string; area: string[] },
  ConsentNote
>({
  path: authorizePath,
  role: 'public',
  purpose: 'consent',
  // Counted below, once the session is known.
  limit: 'approve',
  lifetimeMs: sessionLifetimes.consent,
  againPath: ({ requestPath }) => requestPath,
  targets: (_state, note) => (note ? [note.asked.returnsTo.source] : []),
  // Only agents have the last two.
  fields: () => z.object({ decision: sentText, access: sentText, area: sentValues }),
  render(_page, _state, form, note) {
    if (!note) throw new Error('a consent page has an app and a store');
    const { asked, about } = note;
    return 'host' in about ? (
      <AgentConsentPage {...{ asked, form }} {...about} />
    ) : (
      <ConsentPage {...{ asked, form }} {...about} />
    );
  },
  async submit(publicPage, { decision, access, area }, state) {
    const { grantId, storeId, scopes, requestPath } = state;
    if (decision !== 'approve' && decision !== 'deny')
      throw new HttpError('invalid_body', { status: 400 });
    const { c, env, settings, now, directory, browser } = publicPage;
    const url = new URL(requestPath, c.req.url);
    const clientId = url.searchParams.get('client_id') ?? '';
    const { idHash } = browser;
    const { session, app: stored } = await loadConsent(directory, { idHash, clientId, now });
    if (!session) return publicPage.redirect(requestPath);
    const isDocument = isDocumentId(clientId, settings);
    const address = c.req.header('CF-Connecting-IP');
    const found = isDocument
      ? await readClientDocument(clientId, { env, settings, now, address }, 'decision')
      : stored;
    const app = found && 'rejected' in found ? undefined : found;
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
    if (decision === 'deny') {
      const refusal = errorRedirect(
        request,
        'access_denied',
        issuer,
        'The merchant denied access.',
      );
      return page.redirect(refusal);
    }
    if (!page.isProved) {
      const choices = [...area.map((name) => ['area', name]), ['access', access]];
      await keepTyped(page, new URLSearchParams(choices), userId, requestPath);
      return proofForm.show(page, { returnTo: requestPath });
    }

    const store = connectableStores(request, session).find(({ id }) => id === storeId);
    if (!store) {
      return showStoreForbiddenPage(page, withQueryParameter(requestPath, storeParameter));
    }
    const granted = isAgent(request.app)
      ? chosenScopes(scopes, { mayChange: access === 'write', areas: area })
      : scopes;
    const shown = { path: requestPath, store, hasChoice: session.stores.length > 1 };
    if (granted === 0) {
      const errors = [{ field: 'area', text: page.messages.consent.agent.nothing }];
      return { errors, note: await consentNote(page, request, shown) };
    }
    await countForm(page, userId, 'approve', 'valid');
    const { action } = page;
    // Stored now, and not when it asked: a request without a decision writes nothing.
    const isAllowed =
      !isAgent(request.app) ||
      (await useAgent(directory, await withOwnName(directory, request.app, now), now));
    if (!isAllowed) return page.redirect(requestPath);
    const consent = {
      ...request,
      grantId,
      clientId,
      userId,
      store,
      scopes: granted,
      host: isAgent(request.app) ? hostOfAgent(request, settings) : null,
      isAgent: isAgent(request.app),
    };
    const issued = issueCode(env, consent, now, action.defer, action);
    const code = await issued.catch((error: unknown) => {
      if (error instanceof TooManyGrants) return error;
      throw error;
    });
    if (code instanceof TooManyGrants) {
      const text = page.messages.consent.agent.tooMany.replace('{count}', String(maxActiveGrants));
      const note = await consentNote(page, request, shown);
      return { errors: [{ field: 'access', text }], status: 409, note };
    }
    if (code === undefined) {
      const { title, lead } = page.messages.decided;
      const link = { href: browserPaths.connectedApps, text: page.messages.navigation.apps };
      return page.info({ title, paragraphs: [lead], link }, { status: 409 });
    }
    const params = { code, merchant: store.alias, state: request.state, iss: issuer };
    return page.redirect(buildRedirectUrl(request, params));
  },
});

/** The store of a consent page, and how the page is reached. */
type ShownStore = Pick<AskedConsent, 'path' | 'store' | 'hasChoice'>;

/**
 * Shows the consent page for one store. Stores nothing: the form token carries all data that the
 * decision needs.
 */
export async function showConsentPage(
  page: SignedInPage,
  request: AuthorizationRequest,
  shown: ShownStore,
) {
  const state = {
    grantId: randomBase64url(16),
    storeId: shown.store.id,
    scopes: request.scopes,
    requestPath: shown.path,
  };
  const [note, sent] = await Promise.all([
    consentNote(page, request, shown),
    takeKept(page, shown.path),
  ]);
  return consentForm.show(page, state, { note, ...(sent && { sent }) });
}

/** Counts of stores, so that a page that is opened often reads no shard each time. */
const storeCounts = new TtlCache<number>(10 * minuteMs, 1_000);

/** The number of stores that an app is connected to, at most ten minutes old. */
async function countStores({ env, now }: SignedInPage, { client_id: clientId }: App) {
  const cached = storeCounts.get(clientId, now);
  if (cached) return cached.value;
  const count = (await countInstalls(env, [clientId], now)).get(clientId) ?? 0;
  storeCounts.set(clientId, count, now);
  return count;
}

/**
 * Where an agent comes from for sure: who published its document, or the address that it returns
 * to, if it registered itself. `null` if a program of the device gets the answer, since that may
 * say anything.
 */
function hostOfAgent({ app, redirectUri }: AuthorizationRequest, settings: Settings) {
  const { host, isThisDevice } = describeRedirectTarget(redirectUri);
  if (isThisDevice) return null;
  return isDocumentId(app.client_id, settings) ? app.host : host;
}

async function consentNote(
  page: SignedInPage,
  request: AuthorizationRequest,
  shown: ShownStore,
): Promise<ConsentNote> {
  const app = await withOwnName(page.directory, request.app, page.now);
  const returnsTo = describeRedirectTarget(request.redirectUri);
  const about = isAgent(app)
    ? { host: hostOfAgent(request, page.settings) ?? app.host ?? '' }
    : { installs: await countStores(page, app) };
  return { asked: { ...shown, page, request, app, returnsTo }, about };
}
