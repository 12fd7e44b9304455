import type { Context } from 'hono';
import type { Faces } from '../http/faces.ts';
import { currentPerson } from '../session/current-person.ts';
import { languageParameter } from '../session/language.ts';
import { showSignIn } from '../session/show-sign-in.tsx';
import { visitorOf } from '../session/visitor.ts';
import { withParameter } from '../session/with-parameter.ts';
import { settingsOf } from '../settings.ts';
import { checkAuthorizationRequest } from './authorization-request.ts';
import { issuerOf } from './issuer.ts';
import { knownApp } from './known-app.ts';
import { offeredStores } from './offered-stores.ts';
import { showConsent } from './show-consent.tsx';
import { showRefusal } from './show-refusal.tsx';
import { showForeignStore, showStores, storeParameter } from './show-stores.tsx';

/**
 * `GET /oauth/authorize` (specification, "Authentication", step 2): the request is checked before anybody is
 * asked for anything; then the merchant signs in, chooses a store if there are several, and sees what the app
 * asks for. Writes nothing.
 */
export async function authorize(c: Context<Faces>) {
  const now = Date.now();
  const url = new URL(c.req.url);
  const clientId = url.searchParams.get('client_id') ?? undefined;
  const visitor = await visitorOf(c);
  const [person, app] = await Promise.all([
    currentPerson(c, visitor, now),
    knownApp(c.env, clientId, now),
  ]);
  const checked = await checkAuthorizationRequest(url, {
    findApp: () => Promise.resolve(app),
    issuer: issuerOf(settingsOf(c.env), c.req.url),
    // Before anybody is signed in a draft is asked for by its owner, or refused once it is known who it is.
    userId: person?.user.id ?? app?.owner_id,
  });
  if ('refused' in checked) return showRefusal(c, checked.refused);
  if ('redirect' in checked) return c.redirect(checked.redirect, 302);

  const { request } = checked;
  const path = withParameter(url.pathname + url.search, languageParameter);
  if (!person) return showSignIn(c, visitor, { to: path, app: request.app.name }, { now });

  const stores = offeredStores(request.app, person);
  const alias = url.searchParams.get(storeParameter);
  const given = { visitor, person, path, now };
  if (alias === null && stores.length !== 1) return showStores(c, request, { ...given, stores });
  const store = alias === null ? stores[0] : stores.find((one) => one.alias === alias);
  if (!store) return showForeignStore(c, withParameter(path, storeParameter));
  return showConsent(c, request, { ...given, store, hasChoice: stores.length > 1 });
}
