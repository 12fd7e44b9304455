import { messagesFor } from '../../pages/i18n/messages.ts';
import type { DashboardProps, NavigationLink } from '../../pages/layout/dashboard-layout.tsx';
import type { LayoutProps } from '../../pages/layout/narrow-layout.tsx';
import type { PageContext } from './page-context.ts';
import { browserPaths } from './paths.ts';

/** The pages of one store; they belong to the account in the navigation. */
const storePages = ['stores', 'members', 'activity'] as const;

/** The part of the pages that a page belongs to. */
export type NavigationName =
  | 'account'
  | 'apps'
  | 'webhooks'
  | 'keys'
  | 'security'
  | 'partners'
  | 'operator'
  | (typeof storePages)[number];

/**
 * Builds the links of a signed-in user: nothing about stores for users without one, operators' pages for
 * operators. `current` is undefined for a page that belongs nowhere, such as an error.
 */
export function buildNavigation(
  { session: { user, stores }, store }: Pick<PageContext, 'session' | 'store'>,
  { language }: Pick<LayoutProps, 'language'>,
  current: NavigationName | undefined,
): Pick<DashboardProps, 'navigation' | 'storeNavigation'> {
  const labels = messagesFor(language).navigation;
  const isOfStore = storePages.some((name) => name === current);
  const shown = isOfStore ? 'account' : current;
  const hasStores = stores.length > 0;
  const links = [
    ['account', browserPaths.account, true],
    ['apps', browserPaths.connectedApps, hasStores],
    ['webhooks', browserPaths.webhooks, hasStores],
    ['keys', browserPaths.keys, hasStores || user.isOperator],
    ['security', browserPaths.security, true],
    ['partners', browserPaths.partners, true],
    ['operator', browserPaths.operator, user.isOperator],
  ] as const;
  const navigation = links
    .filter(([, , isShown]) => isShown)
    .map(([name, href]) => ({ href, text: labels[name], isCurrent: name === shown }));
  if (!isOfStore || !store || !current) return { navigation };
  return { navigation, storeNavigation: buildStoreNavigation(store.alias, labels, current) };
}

function buildStoreNavigation(
  alias: string,
  labels: Readonly<Record<(typeof storePages)[number], string>>,
  current: NavigationName,
): NavigationLink[] {
  const root = `${browserPaths.stores}/${alias}`;
  const hrefs = { stores: root, members: `${root}/members`, activity: `${root}/activity` };
  return storePages.map((name) => ({
    href: hrefs[name],
    text: labels[name],
    isCurrent: name === current,
  }));
}
