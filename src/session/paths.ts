/** The addresses of the browser pages, except the consent page (`oauth/metadata.ts`). */
export const browserPaths = {
  /** The sign-in form, and where it posts to. */
  session: '/session',
  end: '/session/end',
  endEverywhere: '/session/end-everywhere',
  account: '/account',
  password: '/account/password',
  connectedApps: '/account/apps',
  keys: '/account/keys',
  webhooks: '/account/webhooks',
  partners: '/partners',
} as const;

/** Where browsers go that asked for no particular page. */
export const homePath = browserPaths.account;

/** Sets or removes a query parameter of a local path. The rest of the query stays byte for byte. */
export function withQueryParameter(path: string, name: string, value?: string): string {
  const [pathname = '', query = ''] = path.split(/\?(.*)/s);
  const others = query.split('&').filter((pair) => pair !== '' && pair.split('=')[0] !== name);
  const pairs = value === undefined ? others : [...others, `${name}=${encodeURIComponent(value)}`];
  return pairs.length > 0 ? `${pathname}?${pairs.join('&')}` : pathname;
}
