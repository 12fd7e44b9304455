import type { Context } from 'hono';
import { groupScopes } from '../../access/scopes.ts';
import { randomBase64url } from '../../crypto/random.ts';
import type { ManagedStore } from '../../db/directory/sessions.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { ConsentPage } from '../../pages/oauth/consent-page.tsx';
import { FormToken } from '../../session/forms/form-token.ts';
import { sessionLifetimes } from '../../session/lifetimes.ts';
import { withQueryParameter } from '../../session/pages/paths.ts';
import { buildNarrowLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { buildSwitchAccountProps } from '../../session/sign-out.ts';
import { settingsOf } from '../../settings.ts';
import { describeRedirectTarget } from '../apps/redirect-uris.ts';
import { authorizePath } from '../metadata.ts';
import type { AuthorizationRequest } from './request.ts';
import { storeParameter } from './show-stores.tsx';

/** What the consent page seals into its form token. The decision uses this and no other field of the form. */
interface ConsentState {
  /** 16 random bytes as base64url: the key of the grant, so that one page makes at most one grant. */
  grantId: string;
  storeId: number;
  /** Bits, as the page showed them: the app may have been given more scopes since. */
  scopes: number;
  /** Path and query of the authorization request. */
  requestPath: string;
}

export const consentFormToken = new FormToken<ConsentState>('consent');

/** Shows the consent page for one store. It stores nothing: the form token carries all that the decision needs. */
export async function showConsentPage(
  c: Context<AppEnv>,
  { app, redirectUri, scopes }: AuthorizationRequest,
  context: PageContext & {
    path: string;
    store: ManagedStore;
    /** Whether the user can choose another store. */
    hasChoice: boolean;
  },
) {
  const { browser, store, path, now } = context;
  const state: ConsentState = {
    grantId: randomBase64url(16),
    storeId: store.id,
    scopes,
    requestPath: path,
  };
  const expiresAt = now + sessionLifetimes.consent;
  const formToken = await consentFormToken.seal(settingsOf(c.env), browser, state, expiresAt);
  const redirectTarget = describeRedirectTarget(redirectUri);
  const layout = buildNarrowLayoutProps(c, path, context.session.user);
  const page = (
    <ConsentPage
      layout={layout}
      action={authorizePath}
      formToken={formToken}
      app={{ name: app.name, publisher: app.publisher, isDraft: app.state === 'draft' }}
      store={store}
      storesHref={context.hasChoice ? withQueryParameter(path, storeParameter) : undefined}
      {...groupScopes(scopes)}
      returnsTo={redirectTarget}
      switchAccount={await buildSwitchAccountProps(c, layout, context, path)}
    />
  );
  return renderPage(c, page, { formTargets: [redirectTarget.source] });
}
