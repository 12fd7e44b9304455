import { withQueryParameter } from '../../base/page-paths.ts';
import { nameIn } from '../../data/directory/apps.ts';
import type { ManagedStore, UserSession } from '../../data/directory/sessions.ts';
import type { AuthorizationRequest } from '../../oauth/authorization-request.ts';
import { Interpolate, UntrustedName } from '../../web/components/inline-text.tsx';
import { NarrowLayout } from '../../web/components/narrow-layout.tsx';
import type { PublicPage, SignedInPage } from '../../web/page.ts';
import { SwitchAccount } from '../../web/sign-in/switch-account.tsx';

/** The query parameter that names the chosen store by its alias. */
export const storeParameter = 'store';

/**
 * Shows the choice of a store, or says that the user has none. `path` is the authorization request.
 */
export async function showStorePage(
  page: SignedInPage,
  { app }: Pick<AuthorizationRequest, 'app'>,
  { path, stores }: { path: string; stores: readonly ManagedStore[] },
) {
  const t = page.messages.store;
  const parts = { app: <UntrustedName name={nameIn(app, page.language)} /> };
  const title = stores.length > 0 ? t.title : t.none;
  const choice = (
    <NarrowLayout {...page.layout(path)} title={title}>
      <h1>{title}</h1>
      <p>
        <Interpolate text={stores.length > 0 ? t.lead : t.noneLead} {...{ parts }} />
      </p>
      {app.state === 'draft' && (
        <p class="notice">
          <Interpolate text={t.noneDraft} {...{ parts }} />
        </p>
      )}
      {stores.length > 0 && (
        <ul class="choices">
          {stores.map((store) => (
            <li>
              <a href={withQueryParameter(path, storeParameter, store.alias)}>
                <strong>
                  <bdi>{store.name}</bdi>
                </strong>
                <span class="muted">
                  {store.alias} · {t[store.role]}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <SwitchAccount {...{ page }} returnTo={path} />
    </NarrowLayout>
  );
  return page.render(choice);
}

/**
 * Shows the page for a store that the user cannot connect (403). `path` leads to the choice of a
 * store.
 */
export function showStoreForbiddenPage(page: PublicPage, path: string) {
  const { foreign: title, foreignLead, chooseAnother: text } = page.messages.store;
  return page.info(
    { title, paragraphs: [foreignLead], link: { href: path, text } },
    { status: 403 },
  );
}

/**
 * Returns the stores that a user can connect an app to: those where their role allows more than
 * reading. A draft app connects only to stores of its partner, a trial only to test stores of the
 * partner.
 */
export const connectableStores = (
  { app, isTrial }: Pick<AuthorizationRequest, 'app' | 'isTrial'>,
  { stores }: UserSession,
): ManagedStore[] =>
  stores.filter(
    ({ ownerId, role, test }) =>
      role !== 'viewer' &&
      ((app.state !== 'draft' && !isTrial) || ownerId === app.owner_id) &&
      (!isTrial || test),
  );
