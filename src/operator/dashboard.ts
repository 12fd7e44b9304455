import type { Context } from 'hono';
import { pathId } from '../codecs/fields/ids.ts';
import { notFound } from '../errors.ts';
import type { AppEnv } from '../http/app-env.ts';
import { messagesFor } from '../pages/i18n/messages.ts';
import type { DashboardProps } from '../pages/layout/dashboard-layout.tsx';
import { buildDashboardLayoutProps } from '../session/pages/render-page.ts';
import type { PageContext } from '../session/pages/user-pages.ts';
import { operatorPaths } from './paths.ts';

/** The tabs of the pages of operators. */
const tabs = ['overview', 'stores', 'users', 'apps', 'activity'] as const;

export type OperatorTab = (typeof tabs)[number];

/** Builds the props of a page of operators. `path` is its address, for the language switch. */
export function buildOperatorProps(
  c: Context<AppEnv>,
  context: PageContext,
  tab: OperatorTab,
  path: string,
): DashboardProps {
  const dashboard = buildDashboardLayoutProps(c, context, 'operator', path);
  const { label, ...texts } = messagesFor(dashboard.layout.language).operator.tabs;
  return {
    ...dashboard,
    tabsLabel: label,
    storeNavigation: tabs.map((name) => ({
      href: operatorPaths[name],
      text: texts[name],
      isCurrent: name === tab,
    })),
  };
}

/** Reads an id of the path. Throws a 404 for anything else. */
export function requireId(c: Context<AppEnv>, name: string): number {
  const { data } = pathId.safeParse(c.req.param(name));
  if (data === undefined) throw notFound();
  return data;
}

/** The links to the page after and to the first one. The filter of the address stays. */
export function pageLinks(c: Context<AppEnv>, next: number | string | null) {
  const { pathname, searchParams } = new URL(c.req.url);
  const isFirst = !searchParams.has('cursor');
  searchParams.delete('cursor');
  searchParams.delete('lang');
  const newest = searchParams.size > 0 ? `${pathname}?${searchParams.toString()}` : pathname;
  if (next !== null) searchParams.set('cursor', String(next));
  return {
    newestHref: isFirst ? undefined : newest,
    olderHref: next === null ? undefined : `${pathname}?${searchParams.toString()}`,
  };
}

/** The filter that an address names; what it does not know counts as absent. */
export function readListQuery<State extends string>(c: Context<AppEnv>, states: readonly State[]) {
  const cursor = pathId.safeParse(c.req.query('cursor')).data;
  const search = c.req.query('search')?.trim().slice(0, 100) ?? '';
  const state = states.find((known) => known === c.req.query('state'));
  return {
    typed: { search, state: state ?? '' },
    query: { limit: 50, cursor, state, ...(search !== '' && { search }) },
  };
}
