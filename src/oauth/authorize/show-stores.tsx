import type { Context } from 'hono';
import type { ManagedStore, UserSession } from '../../db/directory/sessions.ts';
import type { AppEnv } from '../../http/app-env.ts';
import { messagesFor } from '../../pages/i18n/messages.ts';
import { InfoPage } from '../../pages/layout/info-page.tsx';
import { ChooseStorePage } from '../../pages/oauth/choose-store-page.tsx';
import { withQueryParameter } from '../../session/pages/paths.ts';
import { buildNarrowLayoutProps, renderPage } from '../../session/pages/render-page.ts';
import type { PageContext } from '../../session/pages/user-pages.ts';
import { buildSwitchAccountProps } from '../../session/sign-out.ts';
import type { AuthorizationRequest } from './request.ts';

/** The query parameter that names the chosen store by its alias. */
export const storeParameter = 'store';

/** Shows the choice of a store, or says that the user has none. `path` is the authorization request. */
export async function showStorePage(
  c: Context<AppEnv>,
  { app }: Pick<AuthorizationRequest, 'app'>,
  context: PageContext & { path: string; stores: readonly ManagedStore[] },
) {
  const { stores, path } = context;
  const layout = buildNarrowLayoutProps(c, path, context.session.user);
  const page = (
    <ChooseStorePage
      layout={layout}
      app={{ name: app.name, isDraft: app.state === 'draft' }}
      stores={stores.map(({ alias, name, role }) => ({
        alias,
        name,
        role,
        href: withQueryParameter(path, storeParameter, alias),
      }))}
      switchAccount={await buildSwitchAccountProps(c, layout, context, path)}
    />
  );
  return renderPage(c, page);
}

/** Shows the page for a store that the user cannot connect (403). `path` leads to the choice of a store. */
export function showStoreForbiddenPage(c: Context<AppEnv>, path: string) {
  const layout = buildNarrowLayoutProps(c);
  const { foreign: title, foreignLead, chooseAnother: text } = messagesFor(layout.language).store;
  const props = { layout, title, paragraphs: [foreignLead], link: { href: path, text } };
  return renderPage(c, <InfoPage {...props} />, { status: 403 });
}

/**
 * Returns the stores that a user can connect an app to: those where they may do more than read. A draft app connects only to
 * stores of its partner, a trial only to test stores of the partner.
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
