import type { Language } from '../base/languages.ts';
import type { ManagedStore, UserSession } from '../data/directory/sessions.ts';
import type { DashboardProps, NavigationLink } from './components/dashboard-layout.tsx';
import {
  browserPaths,
  memberPaths,
  partnerActivityPath,
  operatorPaths,
  storePaths,
  teamPaths,
  testStorePaths,
} from './paths.ts';
import { messagesFor } from './texts/messages.ts';

const tabs = {
  /** The pages of one store; they belong to the account in the navigation. */
  store: ['stores', 'members', 'activity'],
  partners: ['apps', 'testStores', 'team', 'activity'],
  operator: ['overview', 'stores', 'users', 'apps', 'activity'],
} as const;

type Tabs = typeof tabs;

/** The part of the pages that a page belongs to; with its tab, where the part has tabs. */
export type Part =
  | 'account'
  | 'apps'
  | 'webhooks'
  | 'keys'
  | 'security'
  | { [Name in keyof Tabs]: `${Name}/${Tabs[Name][number]}` }[keyof Tabs];

type Navigation = Pick<DashboardProps, 'navigation' | 'storeNavigation' | 'tabsLabel'>;

/**
 * Builds the links of a signed-in user: no links about stores for users without one, operators' pages for operators.
 * `current` is undefined for a page outside the navigation, such as an error.
 */
export function buildNavigation(
  {
    session: { user, stores },
    store,
  }: { session: UserSession; store: Pick<ManagedStore, 'alias' | 'active'> | undefined },
  { language }: { language: Language },
  current: Part | undefined,
): Navigation {
  const messages = messagesFor(language);
  const labels = messages.navigation;
  const [part = '', tab = ''] = current?.split('/') ?? [];
  const shown = part === 'store' ? 'account' : part;
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
    .map(([name, href]) => ({ href, text: labels[name], isCurrent: name === shown, icon: name }));
  const linksOf = <Name extends string>(
    names: readonly Name[],
    hrefs: Readonly<Record<Name, string>>,
    texts: Readonly<Record<Name, string>>,
  ): NavigationLink[] =>
    names.map((name) => ({ href: hrefs[name], text: texts[name], isCurrent: name === tab }));
  if (part === 'store' && store) {
    const { alias, active } = store;
    // The members of an inactive store have no page.
    const names = tabs.store.filter((name) => active || name !== 'members');
    const hrefs = {
      stores: storePaths.details(alias),
      members: memberPaths.list(alias),
      activity: storePaths.activity(alias),
    };
    return { navigation, storeNavigation: linksOf(names, hrefs, labels) };
  }
  if (part === 'partners') {
    const texts = messages.partnerTools.links;
    const hrefs = {
      apps: browserPaths.partners,
      testStores: testStorePaths.list,
      team: teamPaths.team,
      activity: partnerActivityPath(),
    };
    const storeNavigation = linksOf(tabs.partners, hrefs, texts);
    return { navigation, storeNavigation, tabsLabel: texts.label };
  }
  if (part === 'operator') {
    const texts = messages.operator.tabs;
    const storeNavigation = linksOf(tabs.operator, operatorPaths, texts);
    return { navigation, storeNavigation, tabsLabel: texts.label };
  }
  return { navigation };
}
