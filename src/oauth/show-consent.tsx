import type { Context } from 'hono';
import { randomBase64url } from '../crypto/random.ts';
import type { ManagedStore, SignedIn } from '../db/sessions.ts';
import type { Faces } from '../http/faces.ts';
import { ConsentPage } from '../pages/consent-page.tsx';
import { lifetimes } from '../session/lifetimes.ts';
import { otherAccount } from '../session/other-account.ts';
import { frameOf, showPage } from '../session/show-page.ts';
import type { Visitor } from '../session/visitor.ts';
import { withParameter } from '../session/with-parameter.ts';
import { settingsOf } from '../settings.ts';
import type { AuthorizationRequest } from './authorization-request.ts';
import { authorizePath } from './authorize-path.ts';
import { consentScopes } from './consent-scopes.ts';
import { returnAddressOf } from './return-address.ts';
import { storeParameter } from './show-stores.tsx';
import { consentTicket, type Transaction } from './transaction.ts';

/** The consent page for one store. Leaves nothing in any database: what is decided on travels sealed in its form. */
export async function showConsent(
  c: Context<Faces>,
  { app, redirectUri, scopes }: AuthorizationRequest,
  given: {
    visitor: Visitor;
    person: SignedIn;
    store: ManagedStore;
    /** Whether there is another store to choose. */
    hasChoice: boolean;
    path: string;
    now: number;
  },
) {
  const { visitor, store, path, now } = given;
  const data: Transaction = {
    grantId: randomBase64url(16),
    storeId: store.id,
    scopes,
    request: path,
  };
  const until = now + lifetimes.consent;
  const ticket = await consentTicket.seal(settingsOf(c.env), visitor, data, until);
  const returnsTo = returnAddressOf(redirectUri);
  const frame = frameOf(c, path);
  const page = (
    <ConsentPage
      frame={frame}
      action={authorizePath}
      ticket={ticket}
      app={{ name: app.name, publisher: app.publisher, isDraft: app.state === 'draft' }}
      store={store}
      storesHref={given.hasChoice ? withParameter(path, storeParameter) : undefined}
      {...consentScopes(scopes)}
      returnsTo={returnsTo}
      other={await otherAccount(c, frame, { ...given, to: path })}
    />
  );
  return showPage(c, page, { formTargets: [returnsTo.source] });
}
