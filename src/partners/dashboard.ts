import type { Context } from 'hono';
import type { AppEnv } from '../http/app-env.ts';
import { messagesFor } from '../pages/i18n/messages.ts';
import type { DashboardProps } from '../pages/layout/dashboard-layout.tsx';
import { browserPaths } from '../session/pages/paths.ts';
import { buildDashboardLayoutProps } from '../session/pages/render-page.ts';
import type { PageContext } from '../session/pages/user-pages.ts';
import { teamPaths, testStorePaths } from './paths.ts';

const tabs = [
  ['apps', browserPaths.partners],
  ['testStores', testStorePaths.list],
  ['team', teamPaths.team],
] as const;

/** Builds the props of a page of the partner panel. `path` is its address, `current` the part that it belongs to. */
export function buildPartnerLayoutProps(
  c: Context<AppEnv>,
  context: PageContext,
  current: (typeof tabs)[number][0],
  path: string,
): DashboardProps {
  const dashboard = buildDashboardLayoutProps(c, context, 'partners', path);
  const labels = messagesFor(dashboard.layout.language).partnerTools.links;
  return {
    ...dashboard,
    tabsLabel: labels.label,
    storeNavigation: tabs.map(([name, href]) => ({
      href,
      text: labels[name],
      isCurrent: name === current,
    })),
  };
}

/** The address of a guide in the language of the page. */
export const guidePath = ({ layout: { language } }: DashboardProps, guide: string) =>
  `/docs${language === 'en' ? '' : `/${language.toLowerCase()}`}/guides/${guide}`;
