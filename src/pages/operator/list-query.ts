import { pathId } from '../../base/codecs/fields/ids.ts';
import type { SignedInPage } from '../../web/page.ts';

/** The links to the page after and to the first one. The filter of the address stays. */
export function pageLinks(page: SignedInPage, next: number | string | null) {
  const { pathname, searchParams } = new URL(page.c.req.url);
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

/** Reads the filter of an address; an unknown value counts as absent. */
export function readListQuery<State extends string>(page: SignedInPage, states: readonly State[]) {
  const cursor = pathId.safeParse(page.query('cursor')).data;
  const search = page.query('search')?.trim().slice(0, 100) ?? '';
  const state = states.find((known) => known === page.query('state'));
  return {
    typed: { search, state: state ?? '' },
    query: { limit: 50, cursor, state, ...(search !== '' && { search }) },
  };
}
